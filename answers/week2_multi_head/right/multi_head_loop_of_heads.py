"""multi_head: one head after another, as the paper's formula has it.

Question: multi_head
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
        q, k, v = self.W_Q(query), self.W_K(key), self.W_V(value)
        heads, all_weights = [], []
        for i in range(self.num_heads):
            cut = slice(i * self.d_k, (i + 1) * self.d_k)
            m = mask
            if mask is not None and mask.dim() == 4:
                m = mask[:, i] if mask.shape[1] > 1 else mask[:, 0]
            out, w = scaled_dot_product_attention(q[..., cut], k[..., cut], v[..., cut], m)
            heads.append(out)
            all_weights.append(w)
        return self.W_O(torch.cat(heads, dim=-1)), torch.stack(all_weights, dim=1)
