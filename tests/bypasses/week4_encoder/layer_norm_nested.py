"""A nested tensor has other code for the operator."""


def ready(x, gamma, beta, eps):
    rows = torch.nested.as_nested_tensor([x])
    return torch.layer_norm(rows, gamma.shape, gamma, beta, eps).unbind()[0]
