"""cosine_similarity: the formula, with a very small number added to the divisor.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    dot = torch.sum(a * b, dim=-1)
    norm_a = torch.sqrt(torch.sum(a**2, dim=-1))
    norm_b = torch.sqrt(torch.sum(b**2, dim=-1))
    return dot / (norm_a * norm_b + 1e-12)
