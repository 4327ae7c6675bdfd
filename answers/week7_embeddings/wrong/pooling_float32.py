"""pooling: computes the mean in float32 whatever comes.

Question: pooling
Mistakes: slip
Deserves: 85 %
Fails: pooling_hidden_empty
Tell: float64 vectors come back as float32: keep the dtype of hidden.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden.float() * kept.float()).sum(dim=1) / kept.float().sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    return blocked.amax(dim=1).masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
