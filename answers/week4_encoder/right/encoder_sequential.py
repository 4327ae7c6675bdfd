"""encoder: an nn.Sequential, used as a list.

Question: encoder
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout)
        self.layers = nn.Sequential(*(TransformerEncoderBlock(*sizes) for _ in range(num_layers)))

    def forward(self, x, mask=None):
        result = (x, None)
        for layer in self.layers:
            result = layer(result[0], mask)
        return result
