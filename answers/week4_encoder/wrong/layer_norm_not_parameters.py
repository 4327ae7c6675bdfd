"""layer_norm: gamma and beta are ordinary tensors.

Question: layer_norm
Mistakes: slip
Deserves: 60 %
Fails: layer_norm_parameters, layer_norm_learned
Tell: The optimizer never sees gamma and beta: wrap them in nn.Parameter.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = torch.ones(d_model, requires_grad=True)
        self.beta = torch.zeros(d_model, requires_grad=True)
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = (centred**2).mean(-1, keepdim=True)
        return self.gamma * centred / torch.sqrt(variance + self.eps) + self.beta
