"""cosine_similarity: makes both vectors unit vectors first.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    return (F.normalize(a, dim=-1) * F.normalize(b, dim=-1)).sum(-1)
