"""distance: has no diversity yet.

Question: distance
Mistakes: slip
Deserves: 65 %
Fails: distance_diversity, distance_hidden_edges, distance_hidden_types
Tell: head_distance is right; diversity is not written yet.
"""


def head_distance(weights):
    difference = weights.unsqueeze(2) - weights.unsqueeze(1)
    return difference.abs().sum(-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    raise NotImplementedError("week 2, distance: write diversity, then delete this line")
