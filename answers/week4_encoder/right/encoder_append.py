"""encoder: appends the layers one by one and keeps all weights, to return the last.

Question: encoder
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(TransformerEncoderBlock(d_model, num_heads, d_ff, dropout=dropout))

    def forward(self, x, mask=None):
        every = []
        for i in range(len(self.layers)):
            x, w = self.layers[i](x, mask=mask)
            every.append(w)
        return x, every[-1]
