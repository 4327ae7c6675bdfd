"""anisotropy: counts each row with itself.

Question: anisotropy
Mistakes: slip
Deserves: 65 %
Fails: anisotropy_mean, anisotropy_hidden_mean
Tell: The diagonal is in the mean: each row has similarity 1 with itself, so leave the diagonal out.
"""


def mean_cosine(vectors):
    return cosine_similarity(vectors[:, None], vectors).mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
