"""pooling: the mean as an einsum, the maximum with a fill of -1e9.

Question: pooling
"""


def cls_pool(hidden):
    return torch.einsum("bsd,s->bd", hidden, F.one_hot(torch.tensor(0), hidden.shape[1]).to(hidden))


def mean_pool(hidden, mask):
    m = mask.to(hidden.dtype)
    return torch.einsum("bsd,bs->bd", hidden, m) / m.sum(1, keepdim=True).clamp(min=1.0)


def max_pool(hidden, mask):
    m = mask.unsqueeze(-1)
    best = hidden.masked_fill(~m, -1e9).max(dim=1)[0]
    return best * m.any(dim=1)
