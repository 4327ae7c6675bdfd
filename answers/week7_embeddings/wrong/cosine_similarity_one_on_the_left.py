"""cosine_similarity: takes a single vector on the left only.

Question: cosine_similarity
Mistakes: slip
Deserves: 60 %
Fails: cosine_similarity_broadcast
Tell: A single vector (d) may be a or b: (m, d) with (d) must work like (d) with (m, d).
"""


def cosine_similarity(a, b):
    a = a / a.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    b = b / b.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    if a.dim() == 1 or b.dim() == 1:
        return torch.einsum("d,...d->...", a, b)
    return torch.einsum("...d,...d->...", a, b)
