"""layer_norm: eps is stored and never used.

Question: layer_norm
Mistakes: slip
Deserves: 65 %
Fails: layer_norm_eps, layer_norm_hidden_small
Tell: A vector of equal numbers has variance 0 and gives nan: add eps inside the root.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.gamma * centred / centred.pow(2).mean(-1, keepdim=True).sqrt() + self.beta
