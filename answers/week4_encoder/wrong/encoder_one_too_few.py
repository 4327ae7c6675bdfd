"""encoder: counts from 1 and makes a layer too few.

Question: encoder
Mistakes: slip
Deserves: 60 %
Fails: encoder_layers, encoder_loop, encoder_hidden_weights
Tell: There is a layer too few, as with range(1, num_layers): make num_layers of them.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(1, num_layers)
        )

    def forward(self, x, mask=None):
        weights = None
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
