"""learned: an nn.Parameter with a batch dimension of 1.

Question: learned
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.max_len = max_len
        self.pos = nn.Parameter(torch.randn(1, max_len, d_model) * 0.02)

    def forward(self, x):
        n = x.size(1)
        if n > self.max_len:
            raise ValueError(f"sequence length {n} > max_len {self.max_len}")
        return x + self.pos[:, :n, :]
