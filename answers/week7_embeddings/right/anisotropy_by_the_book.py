"""anisotropy: upper triangle and torch.cov.

Question: anisotropy
"""


def mean_cosine(vectors):
    similarities = cosine_similarity(vectors.unsqueeze(1), vectors.unsqueeze(0))
    upper = torch.triu_indices(len(vectors), len(vectors), offset=1)
    return similarities[upper[0], upper[1]].mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0, keepdim=True)
    L, U = torch.linalg.eigh(torch.cov(centred.T).reshape(vectors.shape[1], vectors.shape[1]))
    order = torch.argsort(L, descending=True)[:keep]
    return (centred @ U[:, order]) / torch.sqrt(L[order].clamp(min=1e-6))
