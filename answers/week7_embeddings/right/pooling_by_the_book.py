"""pooling: masks, sums and maxima, with the empty sentence repaired afterwards.

Question: pooling
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    weights = mask.float().unsqueeze(2).to(hidden.dtype)
    total = torch.sum(hidden * weights, dim=1)
    count = torch.clamp(weights.sum(dim=1), min=1e-9)
    return total / count


def max_pool(hidden, mask):
    filled = torch.where(mask[:, :, None], hidden, torch.finfo(hidden.dtype).min)
    result = filled.max(dim=1).values
    return torch.where(mask.any(dim=1)[:, None], result, torch.zeros_like(result))
