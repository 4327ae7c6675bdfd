"""anisotropy: divides by the variance instead of its root.

Question: anisotropy
Mistakes: slip
Deserves: 70 %
Fails: anisotropy_whiten
Tell: You divided by the variance: divide by its root to make the variance 1.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / (variances[-keep:].clamp(min=1e-6))
