"""cosine_similarity: drops the sign.

Question: cosine_similarity
Mistakes: slip
Deserves: 70 %
Fails: cosine_similarity_by_hand
Tell: Opposite vectors have similarity -1: do not take the absolute value.
"""


def cosine_similarity(a, b):
    return ((a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp(min=1e-12)).abs()
