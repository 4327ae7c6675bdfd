"""layer_norm: keeps eps as a buffer, which the state of the module then has besides the parameters.

Question: layer_norm
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.register_buffer("eps", torch.tensor(eps, dtype=torch.float64))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        return self.gamma * centred * (variance + self.eps.to(x.dtype)).rsqrt() + self.beta
