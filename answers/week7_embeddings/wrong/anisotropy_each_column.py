"""anisotropy: divides each column by its standard deviation, without rotating.

Question: anisotropy
Mistakes: concept
Deserves: 55 %
Fails: anisotropy_whiten, anisotropy_keep
Tell: Columns that are correlated stay correlated: rotate the vectors to the directions of U first.
"""


def mean_cosine(vectors):
    n = len(vectors)
    similarities = cosine_similarity(vectors[:, None], vectors)
    return ((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1))).item()


def whiten(vectors, keep):
    centred = vectors - vectors.mean(dim=0)
    return (centred / (centred.std(dim=0) + 1e-8))[:, :keep]
