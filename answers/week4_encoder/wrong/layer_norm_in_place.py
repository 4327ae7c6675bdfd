"""layer_norm: subtracts the mean in the caller's tensor.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_hidden_shapes
Tell: The caller's tensor is changed, for example by `x -= mean` or a method whose name ends in `_`: write x = x -
    mean.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        x -= x.mean(-1, keepdim=True)
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.gamma * x / torch.sqrt(variance + self.eps) + self.beta
