"""positional: makes the table a parameter.

Question: positional
Mistakes: concept
Deserves: 45 %
Fails: positional_parameters, positional_state
Tell: A parameter is for what is trained: the table is fixed, so make it a buffer.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
