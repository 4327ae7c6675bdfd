"""cosine_similarity: divides, then replaces the nan of 0 / 0 by 0.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    cos = (a * b).sum(-1) / (a.norm(dim=-1) * b.norm(dim=-1))
    return torch.nan_to_num(cos, nan=0.0)
