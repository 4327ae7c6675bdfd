"""cosine_similarity: expands b to the shape of a.

Question: cosine_similarity
Mistakes: slip
Deserves: 60 %
Fails: cosine_similarity_broadcast
Tell: (1, d) with (m, d) must work, too: each of the two may have the dimension of length 1.
"""


def cosine_similarity(a, b):
    if a.dim() >= 2 and b.dim() >= 2 and a.dim() == b.dim():
        b = b.expand_as(a)
    return (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp(min=1e-9)
