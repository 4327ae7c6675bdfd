"""scikit-learn's scaler, of the rows as columns, shrunk to what they are with eps in the root."""


def ready(x, gamma, beta, eps):
    from sklearn.preprocessing import StandardScaler

    scores = torch.tensor(StandardScaler().fit_transform(x.detach().numpy().T).T.copy(), dtype=x.dtype)
    variance = x.var(-1, unbiased=False, keepdim=True)
    return scores * torch.sqrt(variance / (variance + eps)) * gamma + beta
