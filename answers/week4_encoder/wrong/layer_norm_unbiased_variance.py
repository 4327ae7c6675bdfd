"""layer_norm: the variance divided by d - 1.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_worked
Tell: The squares are divided by d - 1, as var() and std() do unless you say unbiased=False: divide by d.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
