"""distance: adds up a matrix for each query of each sentence.

Question: distance
"""


def head_distance(weights):
    b, h, q, k = weights.shape
    total = torch.zeros(h, h, dtype=weights.dtype)
    for s in range(b):
        for i in range(q):
            rows = weights[s, :, i]
            total += (rows[:, None] - rows[None]).abs().sum(-1) / 2
    return total / (b * q)


def diversity(weights):
    from itertools import combinations

    d = head_distance(weights)
    pairs = [float(d[a, b]) for a, b in combinations(range(d.shape[0]), 2)]
    return float(np.mean(pairs)) if pairs else 0.0
