"""layer_norm: eps is written into the formula, the argument is ignored.

Question: layer_norm
Mistakes: slip
Deserves: 75 %
Fails: layer_norm_eps, layer_norm_hidden_small
Tell: The argument eps has no effect: store it in __init__ and use self.eps.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = (centred * centred).mean(-1, keepdim=True)
        return self.gamma * centred / torch.sqrt(variance + 1e-6) + self.beta
