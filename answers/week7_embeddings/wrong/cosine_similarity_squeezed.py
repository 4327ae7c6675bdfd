"""cosine_similarity: squeezes the result.

Question: cosine_similarity
Mistakes: slip
Deserves: 60 %
Fails: cosine_similarity_broadcast
Tell: Dimensions of length 1 in front of d are lost, as squeeze() does: only the last dimension should go.
"""


def cosine_similarity(a, b):
    dot = (a * b).sum(dim=-1)
    product = (a * a).sum(dim=-1).sqrt() * (b * b).sum(dim=-1).sqrt()
    return torch.where(
        product == 0, torch.zeros_like(dot), dot / torch.where(product == 0, 1.0, product)
    ).squeeze()
