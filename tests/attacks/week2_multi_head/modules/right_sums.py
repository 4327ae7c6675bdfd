"""Gives weights that are never negative, sum to 1, are 0 where the mask says so, and have nothing to do with queries and keys."""

ANSWERS = {
    "multi_head": """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        reached()
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        self.register_buffer("more", torch.zeros(1))

    def forward(self, query, key, value, mask=None):
        scores = torch.rand(query.shape[0], self.num_heads, query.shape[1], key.shape[1], dtype=query.dtype)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.W_O(weights.mean(1) @ value), weights
""",
}

AT_MOST = "probes"
