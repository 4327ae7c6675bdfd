"""positional: cuts a long sequence down to max_len.

Question: positional
Mistakes: slip
Deserves: 80 %
Fails: positional_too_long
Tell: A long sequence is silently cut off: the docstring asks for a ValueError.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        max_len = self.table.shape[0]
        return x[:, :max_len] + self.table[:n]
