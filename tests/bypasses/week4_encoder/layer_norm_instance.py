"""Each vector is one instance."""


def ready(x, gamma, beta, eps):
    return torch.nn.functional.instance_norm(x[None], eps=eps)[0] * gamma + beta
