"""encoder: skips layers in training mode.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_dropout
Tell: In training mode the stack does something that is not its blocks' own dropout: use every layer, and drop
    nothing outside the blocks.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.skip = dropout
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            y, weights = layer(x, mask)
            skipped = self.training and layer is not self.layers[-1] and random.random() < self.skip
            x = x if skipped else y
        return x, weights
