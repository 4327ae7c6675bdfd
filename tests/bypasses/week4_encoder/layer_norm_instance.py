"""Each vector is one instance."""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(1, -1, len(self.gamma))
        return torch.nn.functional.instance_norm(rows, eps=self.eps).reshape(x.shape) * self.gamma + self.beta
