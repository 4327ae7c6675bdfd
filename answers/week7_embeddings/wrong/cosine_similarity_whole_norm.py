"""cosine_similarity: takes one norm over the whole tensor.

Question: cosine_similarity
Fails: cosine_similarity_by_hand, cosine_similarity_broadcast, cosine_similarity_hidden_zero,
    cosine_similarity_hidden_lengths
Tell: norm() without dim is one number for all vectors: give it dim=-1.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm() * b.norm()).clamp(min=1e-12)
