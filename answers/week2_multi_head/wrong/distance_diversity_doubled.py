"""distance: divides the sum over all entries by the number of pairs.

Question: distance
Mistakes: slip
Deserves: 80 %
Fails: distance_diversity
Tell: The sum over all entries has each pair twice: divide it by heads * (heads - 1).
"""


def head_distance(weights):
    difference = weights.unsqueeze(2) - weights.unsqueeze(1)
    return difference.abs().sum(-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return float(head_distance(weights).sum()) / (h * (h - 1) / 2)
