"""distance: adds differences with their signs.

Question: distance
Mistakes: concept
Deserves: 25 %
Fails: distance_by_hand, distance_diversity, distance_hidden_batch, distance_hidden_edges,
    distance_hidden_types
Tell: Positive and negative differences cancel, so every distance is 0: take absolute values before the sum.
"""


def head_distance(weights):
    return (weights[:, :, None] - weights[:, None]).sum(dim=-1).mean(dim=(0, -1)) / 2


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
