"""distance: gives the diversity as a tensor.

Question: distance
Mistakes: slip
Deserves: 85 %
Fails: distance_hidden_types
Tell: diversity should give a float: call item() on the tensor.
"""


def head_distance(weights):
    difference = weights.unsqueeze(2) - weights.unsqueeze(1)
    return difference.abs().sum(-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return head_distance(weights).sum() / (h * (h - 1))
