"""torch's own reference, written in Python."""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return torch._refs.native_layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)[0]
