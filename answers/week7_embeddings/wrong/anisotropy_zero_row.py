"""anisotropy: takes it for granted that each row has similarity 1 with itself.

Question: anisotropy
Mistakes: slip
Deserves: 85 %
Fails: anisotropy_hidden_mean
Tell: A row of zeros has similarity 0 with itself, not 1: subtract the sum of the diagonal instead of n.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - n) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
