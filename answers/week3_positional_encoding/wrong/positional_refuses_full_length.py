"""positional: refuses a sequence of exactly max_len positions.

Question: positional
Mistakes: slip
Deserves: 85 %
Fails: positional_too_long
Tell: A sequence of exactly max_len positions fits: only a longer one should be refused, with > and not >=.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n >= self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
