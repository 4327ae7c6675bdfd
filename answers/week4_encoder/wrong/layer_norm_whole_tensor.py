"""layer_norm: one mean and one variance for the whole tensor.

Question: layer_norm
Mistakes: concept
Deserves: 40 %
Fails: layer_norm_worked, layer_norm_hidden_small, layer_norm_hidden_shapes
Tell: Mean and variance mix all positions, as mean() does without dim: give it dim=-1 and keepdim=True.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return self.gamma * (x - x.mean()) / torch.sqrt(x.var(unbiased=False) + self.eps) + self.beta
