"""encoder: returns the mean of the heads' attention weights.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_weights
Tell: The weights should come back for every head: return them as the last layer returns them.
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
        return x, weights.mean(dim=1)
