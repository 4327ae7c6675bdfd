"""layer_norm: gamma starts as zeros, so a new norm gives zeros.

Question: layer_norm
Mistakes: slip
Deserves: 75 %
Fails: layer_norm_parameters
Tell: gamma scales, so it must start as ones; only beta starts as zeros.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
