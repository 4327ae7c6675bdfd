"""cosine_similarity: gives the mean over all pairs.

Question: cosine_similarity
Mistakes: concept
Deserves: 45 %
Fails: cosine_similarity_broadcast
Tell: One number for each pair is asked for, not their mean.
"""


def cosine_similarity(a, b):
    cos = (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp(min=1e-12)
    return cos.mean()
