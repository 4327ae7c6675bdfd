"""learned: leaves the table out in evaluation mode.

Question: learned
Mistakes: slip
Deserves: 75 %
Fails: learned_adds
Tell: The table is left out in evaluation mode: positions count there as well.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model) * 0.02)

    def forward(self, x):
        if x.shape[1] > self.table.shape[0]:
            raise ValueError(f"{x.shape[1]} positions, {self.table.shape[0]} rows")
        return x + self.table[: x.shape[1]] * float(self.training)
