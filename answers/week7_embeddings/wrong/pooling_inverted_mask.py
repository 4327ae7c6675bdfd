"""pooling: reads True as padding.

Question: pooling
Mistakes: concept
Deserves: 40 %
Fails: pooling_mean, pooling_max, pooling_padding, pooling_hidden_empty
Tell: True means that a token counts: your mask is the wrong way round.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = (~mask).unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(mask.all(dim=1, keepdim=True), 0.0)
