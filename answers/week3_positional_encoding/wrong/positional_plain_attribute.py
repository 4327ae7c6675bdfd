"""positional: keeps the table as an ordinary attribute.

Question: positional
Mistakes: concept
Deserves: 50 %
Fails: positional_parameters
Tell: The table stays behind when the module moves: hand it to register_buffer.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.table = sinusoidal_encoding(max_len, d_model)

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
