"""pooling: puts -100 in place of padding.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_padding
Tell: -100 is not smaller than every value: fill with minus infinity, or with the smallest number of the
    dtype.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    best = hidden.masked_fill(~mask.unsqueeze(-1), -100.0).amax(dim=1)
    return best.masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
