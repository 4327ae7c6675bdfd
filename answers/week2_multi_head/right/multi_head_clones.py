"""multi_head: four layers from a list, assigned by name.

Question: multi_head
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        if d_model != d_model // num_heads * num_heads:
            raise ValueError("cannot divide " + str(d_model) + " into " + str(num_heads) + " heads")
        nn.Module.__init__(self)
        self.h = num_heads
        for name in ["W_Q", "W_K", "W_V", "W_O"]:
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        q, k, v = [
            split_heads(layer(x), self.h)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        ]
        x, attn = scaled_dot_product_attention(q, k, v, mask)
        x = merge_heads(x)
        return self.W_O(x), attn
