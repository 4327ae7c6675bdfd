"""positional: computes the table itself and does not use sinusoidal_encoding.

Question: positional
"""


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe, persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.pe.shape[0]:
            raise ValueError(f"sequence too long: {n} > {self.pe.shape[0]}")
        return x + self.pe[:n]
