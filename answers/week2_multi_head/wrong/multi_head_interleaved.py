"""multi_head: gives each head every num_heads-th number.

Question: multi_head
Mistakes: slip
Deserves: 65 %
Fails: multi_head_worked, multi_head_lengths
Tell: Head i has every num_heads-th number and should have d_k adjacent ones: cut the last dimension into
    (heads, d_k), then swap heads and words. Merge in the same order.
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
        q = self.W_Q(query).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)
        k = self.W_K(key).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)
        v = self.W_V(value).unflatten(-1, (self.d_k, self.num_heads)).permute(0, 3, 1, 2)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.W_O(out.permute(0, 2, 3, 1).flatten(2)), weights
