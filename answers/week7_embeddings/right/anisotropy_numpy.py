"""anisotropy: all in numpy.

Question: anisotropy
"""


def mean_cosine(vectors):
    x = vectors.detach().cpu().numpy().astype(np.float64)
    x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
    n = len(x)
    s = x.sum(axis=0)
    return float((s @ s - (x * x).sum()) / (n * (n - 1)))


def whiten(vectors, keep):
    x = vectors.detach().cpu().numpy().astype(np.float64)
    x = x - x.mean(axis=0)
    variances, directions = np.linalg.eigh(np.cov(x, rowvar=False, bias=True).reshape(x.shape[1], x.shape[1]))
    best = np.argsort(variances)[::-1][:keep]
    white = x @ directions[:, best] / np.sqrt(np.maximum(variances[best], 1e-9))
    return torch.as_tensor(white, dtype=vectors.dtype, device=vectors.device)
