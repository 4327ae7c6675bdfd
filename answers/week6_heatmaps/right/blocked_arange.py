"""blocked: masks by comparing positions, results in a filled tensor.

Question: blocked
"""


def blocked_effect(predict, length, target):
    position = torch.arange(length)
    normal = predict(torch.full((length, length), True))
    effects = torch.zeros(length, dtype=normal.dtype)
    for key in range(length):
        mask = (position != key).expand(length, length)
        effects[key] = normal[target] - predict(mask)[target]
    return effects
