"""encoder: runs the layers from the last to the first.

Question: encoder
Mistakes: slip
Deserves: 75 %
Fails: encoder_loop
Tell: The layers run backwards: go through self.layers in order.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        for layer in reversed(self.layers):
            x, weights = layer(x, mask)
        return x, weights
