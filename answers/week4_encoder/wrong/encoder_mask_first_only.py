"""encoder: the mask is used up after the first layer.

Question: encoder
Mistakes: slip
Deserves: 70 %
Fails: encoder_mask
Tell: Only the first layer gets the mask, so padding leaks in from the second on: hand it to all.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
            mask = None
        return x, weights
