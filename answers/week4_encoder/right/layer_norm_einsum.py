"""layer_norm: the sum of squares as an einsum.

Question: layer_norm
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        d = x.shape[-1]
        c = x - torch.einsum("...d->...", x).unsqueeze(-1) / d
        v = torch.einsum("...d,...d->...", c, c).unsqueeze(-1) / d
        return torch.addcmul(self.beta, self.gamma, c / (v + self.eps) ** 0.5)
