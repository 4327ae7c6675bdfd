"""cosine_similarity: multiplies a by the transpose of b: all pairs.

Question: cosine_similarity
Mistakes: concept
Deserves: 50 %
Fails: cosine_similarity_broadcast
Tell: A matrix product compares every a with every b: multiply entry by entry and sum over the last
    dimension.
"""


def cosine_similarity(a, b):
    a = a / a.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    b = b / b.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    return a @ b.transpose(-2, -1) if b.dim() > 1 else a @ b
