"""layer_norm: eps is a lower bound of the variance.

Question: layer_norm
Mistakes: concept
Deserves: 60 %
Fails: layer_norm_eps, layer_norm_hidden_small
Tell: eps should be added to every variance, also to a large one: it is not a lower bound.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True).clamp(min=self.eps)
        return self.gamma * centred / variance.sqrt() + self.beta
