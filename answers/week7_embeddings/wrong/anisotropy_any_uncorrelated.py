"""anisotropy: gives columns of variance 1 that are uncorrelated, and have nothing to do with the vectors.

Question: anisotropy
Mistakes: concept
Deserves: 50 %
Fails: anisotropy_whiten, anisotropy_keep, anisotropy_hidden_whiten
Tell: The result does not depend on the vectors: it must be the centred vectors times a matrix.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    random_rows = torch.randn(len(vectors), keep)
    random_rows = random_rows - random_rows.mean(dim=0)
    return torch.linalg.qr(random_rows)[0] * len(vectors) ** 0.5
