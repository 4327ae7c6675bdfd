"""anisotropy: does not subtract the mean.

Question: anisotropy
Mistakes: slip
Deserves: 65 %
Fails: anisotropy_whiten
Tell: The mean is not subtracted: the cloud of vectors must first be moved to the origin.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    variances, directions = torch.linalg.eigh(vectors.T @ vectors / len(vectors))
    return vectors @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
