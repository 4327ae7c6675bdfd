"""pooling: sums only the tokens that count, but divides by the length of the row.

Question: pooling
Mistakes: slip
Deserves: 70 %
Fails: pooling_mean, pooling_padding
Tell: The sum leaves padding out but the division does not: divide by mask.sum(dim=1).
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(dim=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
