"""encoder: each layer is given the encoder's input.

Question: encoder
Mistakes: concept
Deserves: 45 %
Fails: encoder_loop, encoder_hidden_weights
Tell: The output is the last layer's for the first x: each layer should get the result of the one before it.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            output, weights = layer(x, mask)
        return output, weights
