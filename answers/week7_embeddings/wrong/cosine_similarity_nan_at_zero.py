"""cosine_similarity: divides by zero for a vector of zeros.

Question: cosine_similarity
Mistakes: slip
Deserves: 80 %
Fails: cosine_similarity_hidden_zero
Tell: 0 / 0 is nan: keep the divisor above 0 with clamp, or add a very small number.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1))
