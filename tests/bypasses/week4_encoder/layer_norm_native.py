"""The operator, with its mean and deviation."""


def ready(x, gamma, beta, eps):
    return torch.native_layer_norm(x, list(gamma.shape), gamma, beta, eps)[0]
