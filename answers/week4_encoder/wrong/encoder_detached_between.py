"""encoder: hands each layer a detached tensor.

Question: encoder
Mistakes: slip
Deserves: 75 %
Fails: encoder_hidden_gradient
Tell: The values are right, but no gradient reaches x through the layers. It is stopped, for example by detach(), .data,
    NumPy or torch.no_grad().
"""


class TransformerEncoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerEncoderBlock(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)
        )

    def forward(self, x, mask=None):
        for layer in self.layers:
            x, weights = layer(x.detach(), mask)
        return x, weights
