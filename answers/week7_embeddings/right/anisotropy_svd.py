"""anisotropy: whitens by the singular value decomposition of the centred rows.

Question: anisotropy
"""


def mean_cosine(vectors):
    unit = F.normalize(vectors, dim=-1)
    n = unit.shape[0]
    table = unit @ unit.T
    table = table.masked_fill(torch.eye(n, dtype=torch.bool, device=unit.device), 0)
    return float(table.sum() / (n * n - n))


def whiten(vectors, keep):
    centred = vectors - vectors.mean(0)
    U, S, Vh = torch.linalg.svd(centred, full_matrices=False)
    scale = (len(vectors) ** 0.5) / S[:keep].clamp(min=1e-3)
    return centred @ Vh[:keep].T * scale
