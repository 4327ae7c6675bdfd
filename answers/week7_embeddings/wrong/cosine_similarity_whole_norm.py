"""cosine_similarity: takes one norm over the whole tensor.

Question: cosine_similarity
Mistakes: slip
Deserves: 55 %
Fails: cosine_similarity_broadcast
Tell: norm() without dim is one number for all vectors: give it dim=-1.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm() * b.norm()).clamp(min=1e-12)
