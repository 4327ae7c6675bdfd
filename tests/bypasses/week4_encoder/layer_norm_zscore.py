"""scipy's scores, shrunk to what they are with eps in the root."""


def ready(x, gamma, beta, eps):
    from scipy.stats import zscore

    scores = torch.tensor(zscore(x.detach().numpy(), axis=-1), dtype=x.dtype)
    variance = x.var(-1, unbiased=False, keepdim=True)
    return scores * torch.sqrt(variance / (variance + eps)) * gamma + beta
