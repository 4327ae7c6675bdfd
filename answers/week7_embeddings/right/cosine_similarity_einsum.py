"""cosine_similarity: the dot product as an einsum over broadcast tensors.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    dot = torch.einsum("...d,...d->...", a, b)
    size = torch.linalg.vector_norm(a, dim=-1) * torch.linalg.vector_norm(b, dim=-1)
    return torch.where(size > 0, dot / size.clamp_min(1e-12), torch.zeros_like(dot))
