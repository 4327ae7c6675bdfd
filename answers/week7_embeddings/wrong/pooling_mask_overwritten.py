"""pooling: turns the caller's mask round in place, in max_pool.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_hidden_inputs
Tell: The caller's mask is changed, for example by `logical_not_()`: ~mask makes a new one.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    padding = mask.logical_not_()
    blocked = hidden.masked_fill(padding.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(padding.all(dim=1, keepdim=True), 0.0)
