"""layer_norm: the parameters have other names, and the shift is added before the scale.

Question: layer_norm
Mistakes: slip, slip
Deserves: 65 %
Fails: layer_norm_parameters, layer_norm_learned
Tell: Multiply by gamma first, then add beta.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.scale = nn.Parameter(torch.ones(d_model))
        self.shift = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = (centred**2).mean(-1, keepdim=True)
        return self.scale * (centred / torch.sqrt(variance + self.eps) + self.shift)
