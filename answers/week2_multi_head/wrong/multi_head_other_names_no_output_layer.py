"""multi_head: the layers have other names, and the last one is not used.

Question: multi_head
Mistakes: slip, slip
Deserves: 60 %
Fails: multi_head_layers, multi_head_output, multi_head_hidden_gradient
Tell: The layer for the output is made, but never called.
"""


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.q_proj(query), self.num_heads)
        k = split_heads(self.k_proj(key), self.num_heads)
        v = split_heads(self.v_proj(value), self.num_heads)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(out), weights
