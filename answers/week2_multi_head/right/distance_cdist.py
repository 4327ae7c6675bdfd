"""distance: the 1-norm distance of torch.cdist, for queries one after another.

Question: distance
"""


def head_distance(weights):
    batch, heads, query, key = weights.shape
    rows = weights.permute(0, 2, 1, 3).reshape(batch * query, heads, key)
    return torch.cdist(rows, rows, p=1).mean(dim=0) / 2


def diversity(weights):
    d = head_distance(weights)
    n = d.shape[0]
    pairs = d[~torch.eye(n, dtype=torch.bool, device=d.device)]
    return pairs.mean().item() if n > 1 else 0.0
