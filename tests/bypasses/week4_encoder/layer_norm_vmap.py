"""In a batch, torch calls other code for the operator."""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, len(self.gamma))
        each = lambda row: torch.layer_norm(row, self.gamma.shape, self.gamma, self.beta, self.eps)
        return torch.vmap(each)(rows).reshape(x.shape)
