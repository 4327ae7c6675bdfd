"""anisotropy: keeps all directions.

Question: anisotropy
Mistakes: slip
Deserves: 75 %
Fails: anisotropy_keep
Tell: keep is ignored: only the directions of largest variance are wanted, that many.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions / torch.sqrt(variances.clamp(min=0) + 1e-8)
