"""cosine_similarity: adds 0.00001 to the divisor.

Question: cosine_similarity
Fails: cosine_similarity_hidden_lengths
Tell: Short vectors feel the number that you add to the divisor: 1e-12 is enough, 1e-5 is too much.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1) + 1e-5)
