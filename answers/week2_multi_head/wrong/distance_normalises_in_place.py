"""distance: sets small weights to 0 in the tensor of the caller.

Question: distance
Mistakes: slip
Deserves: 80 %
Fails: distance_hidden_types
Tell: The weights that were handed in are changed: leave out methods whose names end in `_` and
    assignments to entries.
"""


def head_distance(weights):
    with torch.no_grad():
        weights[weights < 1e-3] = 0
    return (weights[:, :, None] - weights[:, None]).abs().sum(dim=-1).mean(dim=(0, 3)) / 2


def diversity(weights):
    heads = weights.shape[1]
    if heads == 1:
        return 0.0
    return float(head_distance(weights.clone()).sum()) / (heads * (heads - 1))
