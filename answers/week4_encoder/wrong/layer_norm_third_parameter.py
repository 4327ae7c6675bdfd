"""layer_norm: has a third parameter, which is added to beta.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_parameters
Tell: The norm should have two parameters, gamma and beta: leave out the third one.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        self.third = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta + self.third
