"""layer_norm: uses averages over earlier batches in evaluation mode, as batch norm does.

Question: layer_norm
Mistakes: concept
Deserves: 30 %
Fails: layer_norm_worked, layer_norm_learned, layer_norm_eps, layer_norm_hidden_small, layer_norm_hidden_shapes,
    layer_norm_hidden_gradient
Tell: In evaluation mode it uses stored averages, as batch norm does: the mean and variance are always the vector's own.
"""


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.register_buffer("usual_mean", torch.zeros(1))
        self.register_buffer("usual_variance", torch.ones(1))

    def forward(self, x):
        mean, variance = self.usual_mean, self.usual_variance
        if self.training:
            mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
            self.usual_mean = 0.9 * self.usual_mean + 0.1 * mean.detach().mean()
            self.usual_variance = 0.9 * self.usual_variance + 0.1 * variance.detach().mean()
        return (x - mean) / (variance + self.eps).sqrt() * self.gamma + self.beta
