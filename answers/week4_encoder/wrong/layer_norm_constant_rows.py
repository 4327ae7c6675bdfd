"""layer_norm: leaves vectors of equal numbers as they are.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_hidden_small
Tell: A vector of equal numbers should give beta, and this answer returns the vector: with eps in the root, it needs
    no special case.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        y = self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
        return torch.where(var == 0, x, y)
