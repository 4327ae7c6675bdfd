"""distance: averages the weights over the queries before comparing.

Question: distance
Mistakes: concept
Deserves: 50 %
Fails: distance_by_hand, distance_hidden_batch
Tell: The weights are averaged before they are compared, so differences at different queries cancel: compare
    query by query.
"""


def head_distance(weights):
    mean = weights.mean(dim=(0, 2))  # (heads, key)
    return (mean[:, None] - mean[None]).abs().sum(dim=-1) / 2


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
