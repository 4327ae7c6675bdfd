"""encoder: normalises the output of the stack once more.

Question: encoder
Mistakes: slip
Deserves: 65 %
Fails: encoder_layers, encoder_loop, encoder_hidden_weights
Tell: Nothing should be done after the last block, which ends with a norm of its own: leave out the extra norm.
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            [TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        )
        self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x, mask)
        return self.norm(x), weights
