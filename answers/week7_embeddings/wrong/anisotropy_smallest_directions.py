"""anisotropy: keeps the directions of smallest variance.

Question: anisotropy
Mistakes: slip
Deserves: 75 %
Fails: anisotropy_keep
Tell: eigh sorts in ascending order: the directions of largest variance are the last columns, not the first.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, :keep] / torch.sqrt(variances[:keep].clamp(min=1e-6))
