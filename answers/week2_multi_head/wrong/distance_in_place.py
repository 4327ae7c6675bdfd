"""distance: halves the weights themselves.

Question: distance
Mistakes: slip
Deserves: 80 %
Fails: distance_hidden_types
Tell: div_ changes the weights that were handed in: use / 2.
"""


def head_distance(weights):
    halves = weights.div_(2)
    return (halves[:, :, None] - halves[:, None]).abs().sum(dim=-1).mean(dim=(0, -1))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights.clone()).sum()) / (h * (h - 1))
