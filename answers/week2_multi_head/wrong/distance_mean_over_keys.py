"""distance: averages over the keys.

Question: distance
Mistakes: slip
Deserves: 65 %
Fails: distance_by_hand
Tell: The differences are averaged over the keys, so a longer sentence gives smaller distances: sum over the
    keys.
"""


def head_distance(weights):
    return (weights[:, :, None] - weights[:, None]).abs().mean(dim=-1).mean(dim=(0, -1)) / 2


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
