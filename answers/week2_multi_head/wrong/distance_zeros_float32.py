"""distance: collects the result in float32 zeros.

Question: distance
Mistakes: slip
Deserves: 85 %
Fails: distance_hidden_types
Tell: The result is float32 whatever the weights are, as torch.zeros and float() make it: take the dtype
    and device of the weights.
"""


def head_distance(weights):
    n = weights.size(1)
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = (weights[:, i] - weights[:, j]).abs().sum(dim=-1).mean() / 2
    return out


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
