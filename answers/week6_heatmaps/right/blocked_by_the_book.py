"""blocked: a new mask for each key.

Question: blocked
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    before = predict(free)[target]
    effects = []
    for key in range(length):
        mask = torch.ones(length, length, dtype=torch.bool)
        mask[:, key] = False
        effects.append(before - predict(mask)[target])
    return torch.stack(effects)
