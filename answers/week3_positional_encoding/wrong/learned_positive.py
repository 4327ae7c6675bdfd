"""learned: draws numbers from 0 to 0.07, all positive.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_start
Tell: The mean of the table is not 0: torch.rand, for example, gives positive numbers only, and torch.randn has mean
    0.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.07 * torch.rand(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
