"""encoder: drops the output of the stack once more.

Question: encoder
Mistakes: slip
Deserves: 80 %
Fails: encoder_hidden_dropout
Tell: In training mode something happens outside the blocks: drop nothing there, and skip no layer.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return self.dropout(x), weights
