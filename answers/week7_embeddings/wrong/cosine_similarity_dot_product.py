"""cosine_similarity: gives the dot product.

Question: cosine_similarity
Mistakes: concept
Deserves: 40 %
Fails: cosine_similarity_by_hand, cosine_similarity_hidden_lengths
Tell: That is the dot product: divide it by both lengths.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1)
