"""cosine_similarity: adds 0.00001 to the divisor.

Question: cosine_similarity
Mistakes: slip
Deserves: 85 %
Fails: cosine_similarity_hidden_lengths
Tell: What you add to the divisor changes the result for short vectors: add 1e-12, not 1e-5.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / (a.norm(dim=-1) * b.norm(dim=-1) + 1e-5)
