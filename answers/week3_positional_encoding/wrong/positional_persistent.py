"""positional: registers the buffer so that it is saved.

Question: positional
Mistakes: slip
Deserves: 80 %
Fails: positional_state
Tell: The table is saved with the weights, which ties them to one max_len: pass persistent=False.
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        n = x.shape[1]
        if n > self.table.shape[0]:
            raise ValueError("sequence longer than max_len")
        return x + self.table[:n]
