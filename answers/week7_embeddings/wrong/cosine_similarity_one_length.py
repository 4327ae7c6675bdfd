"""cosine_similarity: divides by the length of b only.

Question: cosine_similarity
Mistakes: slip
Deserves: 60 %
Fails: cosine_similarity_by_hand, cosine_similarity_hidden_lengths
Tell: Only one length is divided by: long vectors a still count more.
"""


def cosine_similarity(a, b):
    return (a * b).sum(dim=-1) / b.norm(dim=-1).clamp(min=1e-12)
