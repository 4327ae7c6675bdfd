"""encoder: returns the attention weights of the first layer.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_weights
Tell: These are the first layer's weights: return those of the last layer.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        first = None
        for layer in self.layers:
            x, weights = layer(x, mask)
            if first is None:
                first = weights
        return x, first
