"""One group of channels is one vector."""


def ready(x, gamma, beta, eps):
    return torch.nn.functional.group_norm(x, 1, gamma, beta, eps)
