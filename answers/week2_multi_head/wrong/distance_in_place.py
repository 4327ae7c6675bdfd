"""distance: halves the weights themselves.

Question: distance
Mistakes: slip
Deserves: 80 %
Fails: distance_hidden_types
Tell: The weights that were handed in are changed: leave out methods whose names end in `_`, `/=` and
    assignments to entries.
"""


def head_distance(weights):
    halves = weights.div_(2)
    return (halves[:, :, None] - halves[:, None]).abs().sum(dim=-1).mean(dim=(0, -1))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights.clone()).sum()) / (h * (h - 1))
