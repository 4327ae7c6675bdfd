"""encoder: without the argument, nothing is dropped.

Question: encoder
Mistakes: slip
Deserves: 85 %
Fails: encoder_hidden_dropout
Tell: Without the argument, the stack drops nothing: the default of dropout should be 0.1, and each block should get
    it.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
