"""anisotropy: compares each row with the next one only.

Question: anisotropy
Mistakes: slip
Deserves: 55 %
Fails: anisotropy_mean, anisotropy_hidden_mean
Tell: Only neighbouring rows are compared: every pair should count.
"""


def mean_cosine(vectors):
    return cosine_similarity(vectors[:-1], vectors[1:]).mean().item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(centred))
    return centred @ directions[:, -keep:] / torch.sqrt(variances[-keep:].clamp(min=1e-6))
