"""multi_head: the layers are called W_q, W_k, W_v and W_o.

Question: multi_head
Mistakes: slip
Deserves: 90 %
Fails: multi_head_layers
Tell: The layers must be called W_Q, W_K, W_V and W_O; what is computed is right.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.W_q(query), self.num_heads)
        k = split_heads(self.W_k(key), self.num_heads)
        v = split_heads(self.W_v(value), self.num_heads)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.W_o(merge_heads(out)), weights
