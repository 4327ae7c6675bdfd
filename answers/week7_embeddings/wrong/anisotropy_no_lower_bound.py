"""anisotropy: divides by the roots of the variances as they are.

Question: anisotropy
Mistakes: slip
Deserves: 80 %
Fails: anisotropy_hidden_whiten
Tell: Nothing keeps the divisors above 0: where the vectors do not vary, the root of 0, or of a rounding error below
    0, divides.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:])
