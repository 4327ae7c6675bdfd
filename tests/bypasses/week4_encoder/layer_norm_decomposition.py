"""What torch's compiler would take the operator apart to."""

from torch._decomp import get_decompositions

made = get_decompositions([torch.ops.aten.native_layer_norm])[torch.ops.aten.native_layer_norm.default]


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return made(x, list(self.gamma.shape), self.gamma, self.beta, self.eps)[0]
