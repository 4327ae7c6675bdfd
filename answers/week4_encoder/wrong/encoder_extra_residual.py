"""encoder: adds the input around every block once more.

Question: encoder
Mistakes: slip
Deserves: 70 %
Fails: encoder_loop
Tell: The residual connections are inside the blocks: x should not be added around them again.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            change, weights = layer(x, mask)
            x = x + change
        return x, weights
