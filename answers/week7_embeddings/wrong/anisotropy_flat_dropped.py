"""anisotropy: leaves out directions without variance.

Question: anisotropy
Mistakes: slip
Deserves: 80 %
Fails: anisotropy_hidden_whiten
Tell: Where nothing varies, columns are missing: the result should have `keep` columns in every case.
"""


def mean_cosine(vectors):
    n = len(vectors)
    table = cosine_similarity(vectors[:, None], vectors)
    first, second = torch.triu_indices(n, n, 1)
    return table[first, second].mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    covariance = centred.T @ centred / len(vectors)
    variances, directions = torch.linalg.eigh(covariance)
    variances, directions = variances.flip(0)[:keep], directions.flip(1)[:, :keep]
    vary = variances > 1e-6
    variances, directions = variances[vary], directions[:, vary]
    return centred @ directions / variances.clamp(min=1e-12).sqrt()
