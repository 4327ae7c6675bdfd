"""learned: starts with a table of zeros.

Question: learned
Mistakes: slip
Deserves: 80 %
Fails: learned_start
Tell: The table starts with equal numbers, such as zeros: the docstring asks for small random ones.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
