"""torch's own reference, written in Python."""


def ready(x, gamma, beta, eps):
    return torch._refs.native_layer_norm(x, gamma.shape, gamma, beta, eps)[0]
