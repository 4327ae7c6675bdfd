"""distance: skips queries at which two heads share no key.

Question: distance
Mistakes: slip
Deserves: 70 %
Fails: distance_hidden_batch
Tell: Where two heads share no key, their distance should be 1: compare all keys, also those without weight.
"""


def head_distance(weights):
    a, b = weights[:, :, None], weights[:, None]
    both = ((a > 0) & (b > 0)).any(dim=-1, keepdim=True) | (weights.shape[0] == 1)
    return ((a - b).abs() * both).sum(dim=-1).mean(dim=(0, 3)) / 2


def diversity(weights):
    heads = weights.shape[1]
    if heads == 1:
        return 0.0
    return head_distance(weights).sum().item() / (heads * (heads - 1))
