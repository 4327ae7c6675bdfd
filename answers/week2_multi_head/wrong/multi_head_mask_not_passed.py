"""multi_head: does not hand the mask on.

Question: multi_head
Mistakes: slip
Deserves: 70 %
Fails: multi_head_mask, multi_head_hidden_mask_shapes
Tell: The mask is not used in forward: pass it on to the attention.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(layer(x), self.num_heads)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        out, weights = scaled_dot_product_attention(q, k, v)
        return self.W_O(merge_heads(out)), weights
