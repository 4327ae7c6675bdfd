"""cosine_similarity: gives the dot product.

Question: cosine_similarity
Fails: cosine_similarity_by_hand, cosine_similarity_broadcast, cosine_similarity_hidden_zero,
    cosine_similarity_hidden_lengths
Tell: That is the dot product: divide it by both lengths.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1)
