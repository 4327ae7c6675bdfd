"""learned: has no check of the length.

Question: learned
Mistakes: slip
Deserves: 85 %
Fails: learned_hidden_too_long
Tell: Beyond the table there is an error about shapes or, with one row, none at all: compare the number of positions
    with max_len first.
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        return x + self.table[:n]
