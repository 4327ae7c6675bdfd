"""anisotropy: pair by pair, and a diagonal matrix of scales.

Question: anisotropy
"""

from itertools import combinations


def mean_cosine(vectors):
    values = [
        cosine_similarity(vectors[i], vectors[j]).item() for i, j in combinations(range(len(vectors)), 2)
    ]
    return sum(values) / len(values)


def whiten(vectors, keep):
    x = vectors - vectors.mean(0, keepdim=True)
    lam, u = torch.linalg.eigh(torch.cov(x.T).reshape(x.shape[1], x.shape[1]))
    order = torch.argsort(lam, descending=True)[:keep]
    return x @ u[:, order] @ torch.diag(lam[order].clamp_min(1e-5).rsqrt())
