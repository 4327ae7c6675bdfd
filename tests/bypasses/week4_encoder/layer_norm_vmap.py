"""In a batch, torch calls other code for the operator."""


def ready(x, gamma, beta, eps):
    each = lambda row: torch.layer_norm(row, gamma.shape, gamma, beta, eps)
    return torch.vmap(each)(x)
