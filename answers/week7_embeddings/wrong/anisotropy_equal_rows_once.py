"""anisotropy: takes equal rows for one row.

Question: anisotropy
Mistakes: slip
Deserves: 75 %
Fails: anisotropy_hidden_mean
Tell: Two rows with equal numbers are different rows, and their similarity of 1 should count as a pair.
"""


def mean_cosine(vectors):
    vectors = torch.unique(vectors, dim=0)
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
