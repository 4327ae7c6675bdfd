"""anisotropy: scales each column before it looks for the directions.

Question: anisotropy
Mistakes: slip
Deserves: 75 %
Fails: anisotropy_keep
Tell: The directions of largest variance are those of the centred vectors: scale after the rotation, not
    before it.
"""


def mean_cosine(vectors):
    n = len(vectors)
    table = cosine_similarity(vectors[:, None], vectors)
    first, second = torch.triu_indices(n, n, 1)
    return table[first, second].mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    centred = centred / centred.std(dim=0, correction=0).clamp(min=1e-9)
    covariance = centred.T @ centred / len(vectors)
    variances, directions = torch.linalg.eigh(covariance)
    variances, directions = variances.flip(0)[:keep], directions.flip(1)[:, :keep]
    return centred @ directions / variances.clamp(min=1e-12).sqrt()
