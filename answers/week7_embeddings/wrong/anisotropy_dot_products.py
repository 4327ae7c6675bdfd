"""anisotropy: averages dot products.

Question: anisotropy
Mistakes: concept
Deserves: 60 %
Fails: anisotropy_mean, anisotropy_hidden_mean
Tell: These are dot products: a long vector must count no more than a short one.
"""


def mean_cosine(vectors):
    n = len(vectors)
    products = vectors @ vectors.T
    return ((products.sum() - products.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
