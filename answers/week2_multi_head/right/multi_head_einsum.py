"""multi_head: everything as einsum, with the mask as minus infinity.

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
        q = self.W_Q(query).unflatten(-1, (self.num_heads, self.d_k))
        k = self.W_K(key).unflatten(-1, (self.num_heads, self.d_k))
        v = self.W_V(value).unflatten(-1, (self.num_heads, self.d_k))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / self.d_k**0.5
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = scores.softmax(dim=-1)
        out = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.W_O(out.flatten(2)), weights
