"""distance: takes the mean of the whole matrix.

Question: distance
Mistakes: slip
Deserves: 75 %
Fails: distance_diversity
Tell: The mean of the whole matrix includes the diagonal of zeros: divide by heads * (heads - 1).
"""


def head_distance(weights):
    difference = weights.unsqueeze(2) - weights.unsqueeze(1)
    return difference.abs().sum(-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    return head_distance(weights).mean().item()
