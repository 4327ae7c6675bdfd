"""pooling: a penalty of minus infinity is added, and infinities are removed at the end.

Question: pooling
"""


def cls_pool(hidden):
    return torch.stack([h[0] for h in hidden.unbind(0)])


def mean_pool(hidden, mask):
    pooled = []
    for vectors, keep in zip(hidden.unbind(), mask.unbind()):
        n = keep.sum().item()
        pooled.append((vectors * keep[:, None]).sum(0) / max(n, 1))
    return torch.stack(pooled)


def max_pool(hidden, mask):
    penalty = torch.zeros(mask.shape, dtype=hidden.dtype, device=hidden.device).masked_fill(~mask, -math.inf)
    best = (hidden + penalty[..., None]).max(dim=1).values
    return torch.nan_to_num(best, neginf=0.0)
