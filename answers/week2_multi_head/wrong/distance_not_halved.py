"""distance: sums the differences and does not halve them.

Question: distance
Mistakes: slip
Deserves: 70 %
Fails: distance_by_hand
Tell: The sum of the differences counts everything twice: take half of it, so that the largest distance is 1.
"""


def head_distance(weights):
    return (weights[:, :, None] - weights[:, None]).abs().sum(dim=-1).mean(dim=(0, -1))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
