"""cosine_similarity: never divides by less than 1.

Question: cosine_similarity
Mistakes: slip
Deserves: 70 %
Fails: cosine_similarity_hidden_lengths
Tell: A divisor of at least 1 leaves short vectors undivided: the smallest divisor must be far smaller.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp(min=1.0)
