"""pooling: does not count tokens whose vector is zero.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_mean
Tell: The mask alone says which tokens count: a token with a vector of zeros is one of them.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    weight = mask.to(hidden.dtype)
    total = torch.einsum("bsd,bs->bd", hidden, weight)
    number = (weight * (hidden != 0).any(dim=-1)).sum(dim=1, keepdim=True)
    return total / number.clamp(min=1)


def max_pool(hidden, mask):
    lowest = torch.full_like(hidden, float("-inf"))
    kept = torch.where(mask[:, :, None], hidden, lowest)
    best = kept.max(dim=1).values
    return torch.where(mask.any(dim=1)[:, None], best, torch.zeros_like(best))
