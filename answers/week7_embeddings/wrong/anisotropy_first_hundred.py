"""anisotropy: looks at the first 100 rows only.

Question: anisotropy
Mistakes: slip
Deserves: 75 %
Fails: anisotropy_hidden_mean
Tell: With many rows, not all of them are compared: every pair counts.
"""


def mean_cosine(vectors):
    vectors = vectors[:100]
    n = len(vectors)
    table = cosine_similarity(vectors[:, None], vectors)
    first, second = torch.triu_indices(n, n, 1)
    return table[first, second].mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    covariance = centred.T @ centred / len(vectors)
    variances, directions = torch.linalg.eigh(covariance)
    variances, directions = variances.flip(0)[:keep], directions.flip(1)[:, :keep]
    return centred @ directions / variances.clamp(min=1e-12).sqrt()
