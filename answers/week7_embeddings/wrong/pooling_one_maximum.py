"""pooling: gives all dimensions the token with the largest sum.

Question: pooling
Mistakes: slip
Deserves: 65 %
Fails: pooling_max
Tell: One token wins in all dimensions: in each dimension separately, max_pool should take the
    largest value of the tokens that count.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def max_pool(hidden, mask):
    blocked = hidden.masked_fill(~mask.unsqueeze(-1), float("-inf"))
    best = blocked.sum(dim=-1).argmax(dim=1)
    rows = torch.arange(len(hidden), device=hidden.device)
    return blocked[rows, best].masked_fill(~mask.any(dim=1, keepdim=True), 0.0)
