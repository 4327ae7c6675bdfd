"""layer_norm: unpacks the shape into batch, position and d_model.

Question: layer_norm
Mistakes: slip
Deserves: 75 %
Fails: layer_norm_hidden_shapes
Tell: x can have any number of leading dimensions, including none, but this code does not work for all numbers: count
    from the end, with dim=-1.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        batch, length, d_model = x.shape
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
