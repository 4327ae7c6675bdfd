"""encoder: the list is called blocks, and the last block is applied first.

Question: encoder
Mistakes: slip, slip
Deserves: 60 %
Fails: encoder_layers, encoder_loop
Tell: The blocks are applied in the reverse order.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.blocks = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for block in self.blocks[::-1]:
            x, weights = block(x, mask)
        return x, weights
