"""layer_norm: mean and variance are computed without gradients.

Question: layer_norm
Mistakes: slip
Deserves: 75 %
Fails: layer_norm_hidden_gradient
Tell: The values are right and the gradient is not: it must also flow through mean and variance, so no no_grad(),
    detach() or item() there.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        with torch.no_grad():
            mean = x.mean(-1, keepdim=True)
            std = torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + self.eps)
        return self.gamma * (x - mean) / std + self.beta
