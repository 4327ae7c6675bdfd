"""layer_norm: one row after the other, right but slow.

Question: layer_norm
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = []
        for row in x.reshape(-1, x.shape[-1]):
            mean = sum(row) / len(row)
            variance = sum((value - mean) ** 2 for value in row) / len(row)
            rows.append(self.gamma * (row - mean) / (variance + self.eps).sqrt() + self.beta)
        return torch.stack(rows).reshape(x.shape)
