"""distance: divides by zero when there is one head.

Question: distance
Mistakes: slip
Deserves: 80 %
Fails: distance_hidden_edges
Tell: With one head there are no pairs and 0 / 0 is nan: return 0.0 in that case.
"""


def head_distance(weights):
    difference = weights.unsqueeze(2) - weights.unsqueeze(1)
    return difference.abs().sum(-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    d = head_distance(weights)
    h = d.shape[0]
    return (d.sum() / (h * (h - 1))).item()
