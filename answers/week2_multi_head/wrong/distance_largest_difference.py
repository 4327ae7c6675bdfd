"""distance: takes the largest difference in place of half the sum.

Question: distance
Mistakes: concept
Deserves: 50 %
Fails: distance_by_hand
Tell: That is the largest difference between two weights: add the differences over all keys, and take half.
"""


def head_distance(weights):
    d = weights[:, :, None] - weights[:, None]
    return d.abs().max(dim=-1).values.mean(dim=(0, 3))


def diversity(weights):
    h = weights.shape[1]
    return 0.0 if h == 1 else head_distance(weights).sum().item() / (h * (h - 1))
