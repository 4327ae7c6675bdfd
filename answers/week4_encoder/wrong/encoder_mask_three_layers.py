"""encoder: from the fourth layer on there is no mask.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_mask
Tell: Some layers get no mask: every layer should get it, however many there are.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for i, layer in enumerate(self.layers):
            x, weights = layer(x, mask if i < 3 else None)
        return x, weights
