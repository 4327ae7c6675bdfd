"""encoder: the layers stand in an ordinary list.

Question: encoder
Mistakes: concept
Deserves: 50 %
Fails: encoder_layers, encoder_hidden_dropout, encoder_hidden_gradient
Tell: The layers are hidden from parameters() and to(device), as in a Python list: use nn.ModuleList.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
