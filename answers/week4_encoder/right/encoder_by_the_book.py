"""encoder: a ModuleList and a loop.

Question: encoder
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        attn_weights = None
        for layer in self.layers:
            x, attn_weights = layer(x, mask)
        return x, attn_weights
