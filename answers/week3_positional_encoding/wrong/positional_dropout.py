"""positional: puts dropout after the sum.

Question: positional
Mistakes: slip
Deserves: 65 %
Fails: positional_adds
Tell: Dropout changes the sum at random: the docstring has none.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return self.dropout(x + self.table[:n])
