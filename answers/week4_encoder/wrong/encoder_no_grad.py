"""encoder: runs its layers under no_grad.

Question: encoder
Mistakes: slip
Deserves: 75 %
Fails: encoder_hidden_gradient
Tell: The values are right, but no gradient reaches x and the layers: leave out what stops it, for example
    torch.no_grad() or detach().
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        with torch.no_grad():
            for layer in self.layers:
                x, weights = layer(x, mask)
        return x, weights
