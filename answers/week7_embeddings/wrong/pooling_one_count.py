"""pooling: divides every sentence by the number of tokens in the whole batch.

Question: pooling
Mistakes: slip
Deserves: 75 %
Fails: pooling_mean
Tell: mask.sum() counts the whole batch: each sentence has a count of its own, mask.sum(dim=1).
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).sum(dim=1) / mask.sum().clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
