"""cosine_similarity: forgets the root in the lengths.

Question: cosine_similarity
Mistakes: slip
Deserves: 65 %
Fails: cosine_similarity_by_hand, cosine_similarity_hidden_lengths
Tell: The lengths are squared: take the root of the sum of squares.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / ((a**2).sum(dim=-1) * (b**2).sum(dim=-1)).clamp(min=1e-12)
