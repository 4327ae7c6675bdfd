"""cosine_similarity: the way a chat assistant writes it: type hints, an epsilon argument, a clamp of
the result.

Question: cosine_similarity
"""


def cosine_similarity(a: torch.Tensor, b: torch.Tensor, eps: float = 1e-8) -> torch.Tensor:
    """Compute the cosine similarity along the last dimension."""
    # Compute the dot product along the last dimension
    dot_product = (a * b).sum(dim=-1)
    # Compute the magnitudes, clamped to avoid division by zero
    norm_a = torch.linalg.norm(a, dim=-1).clamp(min=eps)
    norm_b = torch.linalg.norm(b, dim=-1).clamp(min=eps)
    # Numerical errors may push the result slightly outside of [-1, 1]
    return torch.clamp(dot_product / (norm_a * norm_b), -1.0, 1.0)
