"""layer_norm: the variance is the mean square minus the square of the mean.

Question: layer_norm
Mistakes: slip
Deserves: 85 %
Fails: layer_norm_hidden_small
Tell: Far from 0, the mean of the squares minus the square of the mean has no right digit left: subtract the mean
    first, then square.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = torch.einsum("...d->...", x)[..., None] / x.shape[-1]
        square = torch.einsum("...d,...d->...", x, x)[..., None] / x.shape[-1]
        return self.gamma * (x - mean) / torch.sqrt(square - mean**2 + self.eps) + self.beta
