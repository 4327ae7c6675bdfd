"""pooling: calls masked_fill and throws its result away.

Question: pooling
Mistakes: slip
Deserves: 60 %
Fails: pooling_max, pooling_padding
Tell: masked_fill returns a new tensor and leaves hidden as it is: keep its result.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return hidden.max(dim=1).values.masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
