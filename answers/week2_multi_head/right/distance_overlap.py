"""distance: one minus the weight that two heads share.

Question: distance
"""


def head_distance(weights):
    shared = torch.minimum(weights[:, :, None], weights[:, None]).sum(dim=-1)  # (batch, heads, heads, query)
    own = weights.sum(dim=-1)  # 1, up to rounding
    average = (own[:, :, None] + own[:, None]) / 2
    return (average - shared).mean(dim=(0, -1))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
