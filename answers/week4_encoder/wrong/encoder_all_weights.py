"""encoder: returns a list with every layer's weights.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_weights
Tell: Return the last layer's weights alone, not a list of all.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        every = []
        for layer in self.layers:
            x, weights = layer(x, mask)
            every.append(weights)
        return x, every
