"""Each vector is one channel of a batch."""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, len(self.gamma)).T
        flat = torch.nn.functional.batch_norm(rows, None, None, training=True, eps=self.eps).T
        return flat.reshape(x.shape) * self.gamma + self.beta
