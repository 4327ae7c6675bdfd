"""positional: lets a long sequence run into the addition.

Question: positional
Mistakes: slip
Deserves: 85 %
Fails: positional_too_long
Tell: A sequence that is too long ends in a message about shapes, or worse, passes: check it and raise
    ValueError.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        return x + self.table[:n]
