"""layer_norm: returns float32 whatever comes in.

Question: layer_norm
Mistakes: slip
Deserves: 80 %
Fails: layer_norm_hidden_shapes
Tell: Every result is float32, as after float(): a float64 input should give a float64 result.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        y = self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
        return y.float()
