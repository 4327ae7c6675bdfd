"""anisotropy: returns a tensor.

Question: anisotropy
Mistakes: slip
Deserves: 85 %
Fails: anisotropy_mean
Tell: mean_cosine gives a tensor: .item() makes a Python float of it.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return (similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
