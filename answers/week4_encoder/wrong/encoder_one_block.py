"""encoder: one block six times in a list.

Question: encoder
Mistakes: concept
Deserves: 45 %
Fails: encoder_layers, encoder_loop
Tell: All layers are the same block, as in [block] * n: call the class n times.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        block = TransformerEncoderBlock(d_model, num_heads, d_ff, dropout)
        self.layers = nn.ModuleList([block] * num_layers)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
