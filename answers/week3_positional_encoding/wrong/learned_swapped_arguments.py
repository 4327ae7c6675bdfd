"""learned: takes max_len first, as nn.Embedding takes the number of rows.

Question: learned
Mistakes: slip
Deserves: 65 %
Fails: learned_adds
Tell: The constructor gets d_model first and max_len second: here they are exchanged.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
