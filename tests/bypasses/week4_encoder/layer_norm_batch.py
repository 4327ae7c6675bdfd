"""Each vector is one channel of a batch."""


def ready(x, gamma, beta, eps):
    return torch.nn.functional.batch_norm(x.T, None, None, training=True, eps=eps).T * gamma + beta
