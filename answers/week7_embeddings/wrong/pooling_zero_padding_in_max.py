"""pooling: multiplies by the mask before the maximum.

Question: pooling
Mistakes: concept
Deserves: 60 %
Fails: pooling_max, pooling_padding
Tell: In a maximum padding must be minus infinity, not 0: 0 beats every negative value.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).max(dim=1).values
