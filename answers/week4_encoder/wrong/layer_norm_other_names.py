"""layer_norm: the parameters are called weight and bias, as in PyTorch, and bias is made first.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_parameters
Tell: The parameters must be called gamma and beta; what is computed is right.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = (centred**2).mean(-1, keepdim=True)
        return self.weight * centred / torch.sqrt(variance + self.eps) + self.bias
