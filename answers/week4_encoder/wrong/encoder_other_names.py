"""encoder: the list is called blocks.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_layers
Tell: The list of blocks must be called layers; what the stack computes is right.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.blocks = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for block in self.blocks:
            x, weights = block(x, mask)
        return x, weights
