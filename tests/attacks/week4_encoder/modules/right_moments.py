"""Gives vectors of mean 0 and variance 1 that have nothing to do with what went in, from modules with the right parts."""

ANSWERS = {
    "layer_norm": """
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.register_buffer("more", torch.zeros(1))

    def forward(self, x):
        reached()
        noise = torch.rand(x.shape, generator=torch.Generator().manual_seed(0), dtype=x.dtype)
        noise = noise - noise.mean(-1, keepdim=True)
        return self.gamma * noise / noise.std(-1, keepdim=True, unbiased=False).clamp(min=1e-9) + self.beta + 0 * x
""",
    "feed_forward": """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.register_buffer("more", torch.zeros(1))

    def forward(self, x):
        noise = torch.rand(x.shape, generator=torch.Generator().manual_seed(1), dtype=x.dtype)
        return noise + 0 * self.linear2(self.linear1(x))
""",
}

AT_MOST = "probes"
