"""pooling: the mean as a batched matrix product, the maximum by isinf.

Question: pooling
"""


def cls_pool(hidden):
    return hidden.select(1, 0)


def mean_pool(hidden, mask):
    m = mask.type_as(hidden)
    m = m / torch.where(m.sum(1, keepdim=True) == 0, torch.ones_like(m[:, :1]), m.sum(1, keepdim=True))
    return torch.bmm(m.unsqueeze(1), hidden).squeeze(1)


def max_pool(hidden, mask):
    penalty = torch.zeros_like(hidden).masked_fill(mask.logical_not().unsqueeze(-1), -math.inf)
    out = (hidden + penalty).amax(1)
    return torch.where(out.isinf(), torch.zeros_like(out), out)
