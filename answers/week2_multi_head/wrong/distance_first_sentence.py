"""distance: looks at the first sentence only.

Question: distance
Mistakes: slip
Deserves: 75 %
Fails: distance_hidden_batch
Tell: Only weights[0] is used: average over all sentences of the batch.
"""


def head_distance(weights):
    w = weights[0]
    return (w[:, None] - w[None]).abs().sum(dim=-1).mean(dim=-1) / 2


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
