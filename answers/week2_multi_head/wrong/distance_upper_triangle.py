"""distance: fills one half of the matrix only.

Question: distance
Mistakes: slip
Deserves: 70 %
Fails: distance_by_hand
Tell: Only pairs with a < b are filled: the matrix should be symmetric, so write the value in both places.
"""


def head_distance(weights):
    h = weights.shape[1]
    result = weights.new_zeros(h, h)
    for a in range(h):
        for b in range(a + 1, h):
            result[a, b] = (weights[:, a] - weights[:, b]).abs().sum(-1).mean() / 2
    return result


def diversity(weights):
    h = weights.shape[1]
    if h == 1:
        return 0.0
    return head_distance(weights).sum().item() / (h * (h - 1) / 2)
