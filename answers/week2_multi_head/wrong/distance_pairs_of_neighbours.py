"""distance: takes the mean over neighbouring heads only.

Question: distance
Mistakes: slip
Deserves: 75 %
Fails: distance_diversity
Tell: Only neighbouring heads are compared: the mean should be over all pairs of different heads.
"""


def head_distance(weights):
    return (weights[:, :, None] - weights[:, None]).abs().sum(dim=-1).div(2).mean(dim=(0, 3))


def diversity(weights):
    heads = weights.shape[1]
    if heads == 1:
        return 0.0
    table = head_distance(weights)
    return sum(table[a, (a + 1) % heads].item() for a in range(heads)) / heads
