"""learned: refuses an odd d_model, as the waves do.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_start
Tell: An odd d_model is refused: only sines and cosines come in pairs, a learned table may have any number
    of columns.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        if d_model % 2:
            raise ValueError(f"d_model must be even, not {d_model}")
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        if x.shape[1] > self.table.shape[0]:
            raise ValueError("too many positions")
        return x + self.table[: x.shape[1]]
