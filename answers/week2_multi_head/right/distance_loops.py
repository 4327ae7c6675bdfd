"""distance: loops over pairs of heads.

Question: distance
"""


def head_distance(weights):
    h = weights.shape[1]
    rows = []
    for a in range(h):
        row = []
        for b in range(h):
            d = (weights[:, a] - weights[:, b]).abs().sum(dim=-1) / 2
            row.append(d.mean())
        rows.append(torch.stack(row))
    return torch.stack(rows)


def diversity(weights):
    D = head_distance(weights)
    values = []
    for a in range(len(D)):
        for b in range(a + 1, len(D)):
            values.append(D[a, b].item())
    return sum(values) / len(values) if values else 0.0
