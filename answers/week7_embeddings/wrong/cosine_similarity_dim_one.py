"""cosine_similarity: sums over dimension 1.

Question: cosine_similarity
Mistakes: slip
Deserves: 65 %
Fails: cosine_similarity_broadcast
Tell: dim=1 is the last dimension only for two dimensions: write dim=-1.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=1) / (a.norm(dim=1) * b.norm(dim=1)).clamp(min=1e-12)
