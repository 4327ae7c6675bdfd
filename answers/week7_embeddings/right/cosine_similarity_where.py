"""cosine_similarity: divides only where the lengths are above 0.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    na = torch.sqrt(torch.sum(a * a, dim=-1))
    nb = torch.sqrt(torch.sum(b * b, dim=-1))
    num = torch.sum(a * b, dim=-1)
    den = na * nb
    return torch.where(den > 0, num / torch.where(den > 0, den, torch.ones_like(den)), torch.zeros_like(num))
