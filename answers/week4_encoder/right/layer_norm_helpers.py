"""layer_norm: registers its parameters by name and normalises in a helper function.

Question: layer_norm
"""


def standardise(x, eps):
    x = x - x.mean(-1, keepdim=True)
    return x / x.square().mean(-1, keepdim=True).add(eps).sqrt()


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_parameter("gamma", nn.Parameter(torch.empty(d_model)))
        self.register_parameter("beta", nn.Parameter(torch.empty(d_model)))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)

    def forward(self, x):
        return standardise(x, self.eps) * self.gamma + self.beta
