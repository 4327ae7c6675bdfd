"""blocked: hands over masks of ones and zeros.

Question: blocked
Mistakes: slip
Deserves: 85 %
Fails: blocked_masks
Tell: The masks are float: predict wants dtype=torch.bool.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = 0
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
