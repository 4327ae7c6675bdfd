"""layer_norm: gamma and beta are one number each.

Question: layer_norm
Mistakes: slip
Deserves: 65 %
Fails: layer_norm_parameters, layer_norm_learned
Tell: Each component needs its own scale and shift: gamma and beta have the shape (d_model,).
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1))
        self.beta = nn.Parameter(torch.zeros(1))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = ((x - mean) ** 2).mean(-1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
