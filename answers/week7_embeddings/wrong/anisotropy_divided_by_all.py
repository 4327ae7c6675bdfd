"""anisotropy: leaves out the diagonal, but divides by n times n.

Question: anisotropy
Mistakes: slip
Deserves: 70 %
Fails: anisotropy_mean, anisotropy_hidden_mean
Tell: Without the diagonal n (n - 1) entries are left: n times n is too many to divide by.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - n) / (n * n)).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
