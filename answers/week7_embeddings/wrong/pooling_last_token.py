"""pooling: takes the last token for <CLS>.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_cls
Tell: cls_pool takes the last token; <CLS> is the first, hidden[:, 0].
"""


def cls_pool(hidden):
    return hidden[:, -1]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
