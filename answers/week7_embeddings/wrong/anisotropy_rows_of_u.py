"""anisotropy: takes the directions from the rows of U.

Question: anisotropy
Mistakes: slip
Deserves: 65 %
Fails: anisotropy_whiten, anisotropy_keep
Tell: eigh gives the directions as columns: do not transpose U.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions.T[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
