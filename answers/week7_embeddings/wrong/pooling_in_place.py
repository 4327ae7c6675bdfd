"""pooling: writes minus infinity and zeros into the caller's tensor.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_hidden_inputs
Tell: The caller's hidden is changed, for example by hidden[...] = ...: use masked_fill, which returns a new
    tensor, or clone first.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    hidden[~mask] = 0
    return hidden.sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


def max_pool(hidden, mask):
    hidden[~mask] = float("-inf")
    pooled = hidden.max(dim=1).values
    pooled[~mask.any(dim=1)] = 0
    return pooled
