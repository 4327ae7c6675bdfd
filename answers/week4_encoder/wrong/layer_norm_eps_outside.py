"""layer_norm: eps added to the root, with the right variance.

Question: layer_norm
Mistakes: concept
Deserves: 60 %
Fails: layer_norm_eps, layer_norm_hidden_small
Tell: Tiny vectors come out too large: add eps to the variance before you take the root.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, unbiased=False, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta
