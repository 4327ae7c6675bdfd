"""cosine_similarity: divides by the length of b only.

Question: cosine_similarity
Mistakes: slip
Deserves: 60 %
Fails: cosine_similarity_by_hand, cosine_similarity_hidden_lengths
Tell: You divided by the length of one vector only, so the length of the other still counts.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / b.norm(dim=-1).clamp(min=1e-12)
