"""anisotropy: subtracts the mean from the caller's vectors.

Question: anisotropy
Mistakes: slip
Deserves: 80 %
Fails: anisotropy_hidden_whiten
Tell: The caller's vectors are changed, for example by `-=`: vectors - vectors.mean(dim=0) makes new ones.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    vectors -= vectors.mean(dim=0)
    centred = vectors
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
