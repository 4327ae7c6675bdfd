"""layer_norm: the library's standard deviation with eps added to it, as often published.

Question: layer_norm
Mistakes: slip, concept
Deserves: 50 %
Fails: layer_norm_worked, layer_norm_eps, layer_norm_hidden_small
Tell: The squares are divided by d - 1, as in std(), and eps belongs inside the root: use the mean of the squares plus
    eps, then the root.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        std = x.std(dim=-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta
