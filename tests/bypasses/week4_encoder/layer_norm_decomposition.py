"""What torch's compiler would take the operator apart to."""

from torch._decomp import get_decompositions

made = get_decompositions([torch.ops.aten.native_layer_norm])[torch.ops.aten.native_layer_norm.default]


def ready(x, gamma, beta, eps):
    return made(x, list(gamma.shape), gamma, beta, eps)[0]
