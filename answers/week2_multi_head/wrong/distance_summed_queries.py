"""distance: sums over the queries.

Question: distance
Mistakes: slip
Deserves: 65 %
Fails: distance_by_hand, distance_hidden_batch
Tell: The queries are summed; average over them, as over the sentences.
"""


def head_distance(weights):
    half = (weights[:, :, None] - weights[:, None]).abs().sum(dim=-1) / 2
    return half.sum(dim=-1).mean(dim=0)


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1))
