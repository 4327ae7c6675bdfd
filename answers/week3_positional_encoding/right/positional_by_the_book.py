"""positional: a buffer with a batch dimension of 1, sliced by the second dimension of x.

Question: positional
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(0)
        self.register_buffer("pe", pe, persistent=False)

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"sequence of length {x.size(1)} is longer than max_len={self.max_len}")
        return x + self.pe[:, : x.size(1)]
