"""pooling: averages over all tokens, padding too.

Question: pooling
Mistakes: concept
Deserves: 50 %
Fails: pooling_mean, pooling_padding, pooling_hidden_empty
Tell: mean_pool does not use its mask: multiply by it before the sum and count with it.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    return hidden.mean(dim=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
