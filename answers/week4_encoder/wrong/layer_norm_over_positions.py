"""layer_norm: normalises over the positions of a sentence, dim=-2.

Question: layer_norm
Mistakes: concept
Deserves: 40 %
Fails: layer_norm_worked, layer_norm_hidden_small, layer_norm_hidden_shapes
Tell: Mean and variance run over the positions: take them over dim=-1, the components of one vector.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        dim = -2 if x.dim() > 1 else -1
        mean = x.mean(dim=dim, keepdim=True)
        var = x.var(dim=dim, keepdim=True, unbiased=False)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
