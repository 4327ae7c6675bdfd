"""pooling: opens the first token of empty sentences in the caller's mask.

Question: pooling
Mistakes: slip
Deserves: 85 %
Fails: pooling_hidden_inputs
Tell: The mask is changed where no token of a sentence counts: work on a copy, or count with clamp(min=1).
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    empty = ~mask.any(dim=1)
    mask[empty, 0] = True
    weight = mask.to(hidden.dtype) * (~empty)[:, None]
    total = torch.einsum("bsd,bs->bd", hidden, weight)
    number = weight.sum(dim=1, keepdim=True)
    return total / number.clamp(min=1)


def max_pool(hidden, mask):
    lowest = torch.full_like(hidden, float("-inf"))
    kept = torch.where(mask[:, :, None], hidden, lowest)
    best = kept.max(dim=1).values
    return torch.where(mask.any(dim=1)[:, None], best, torch.zeros_like(best))
