"""encoder: the blocks keep their default dropout.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_dropout
Tell: The argument dropout does not reach the blocks: pass it on to each of them.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return x, weights
