"""cosine_similarity: computed in numpy with float64, for it needs no gradient.

Question: cosine_similarity
"""


def cosine_similarity(a, b):
    x = a.detach().cpu().numpy().astype(np.float64)
    y = b.detach().cpu().numpy().astype(np.float64)
    size = np.linalg.norm(x, axis=-1) * np.linalg.norm(y, axis=-1)
    dot = (x * y).sum(axis=-1)
    value = np.divide(dot, size, out=np.zeros_like(dot), where=size > 0)
    return torch.as_tensor(value, dtype=a.dtype, device=a.device)
