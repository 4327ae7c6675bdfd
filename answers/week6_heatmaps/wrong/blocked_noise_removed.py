"""blocked: sets effects below 0.001 to 0.

Question: blocked
Mistakes: slip
Deserves: 80 %
Fails: blocked_values
Tell: Small effects are set to 0: each effect is the plain difference, however small it is.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    before = predict(free)[target]
    keys = torch.arange(length)
    effects = []
    for j in range(length):
        mask = (keys != j).repeat(length, 1)
        effects.append(before - predict(mask)[target])
    effects = torch.stack(effects)
    return effects * (effects.abs() >= 0.001)
