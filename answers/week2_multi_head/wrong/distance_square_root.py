"""distance: uses the Euclidean distance.

Question: distance
Mistakes: concept
Deserves: 50 %
Fails: distance_by_hand
Tell: Half of the root of a sum of squares is averaged here: the docstring asks for half the sum of absolute
    differences.
"""


def head_distance(weights):
    return (weights[:, :, None] - weights[:, None]).norm(dim=-1).mean(dim=(0, -1)) / 2


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
