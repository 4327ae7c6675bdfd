"""pooling: puts -10000 in place of padding.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_padding
Tell: -10000 is not smaller than every value: fill with minus infinity, or with the smallest number of the
    dtype.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), -1e4)
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
