"""learned: a ParameterList with one row a position, stacked when needed.

Question: learned
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.rows = nn.ParameterList([nn.Parameter(0.02 * torch.randn(d_model)) for _ in range(max_len)])

    def forward(self, x):
        n = x.shape[1]
        if n > len(self.rows):
            raise ValueError(f"only {len(self.rows)} rows for {n} positions")
        return x + torch.stack([self.rows[p] for p in range(n)])
