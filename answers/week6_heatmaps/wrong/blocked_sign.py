"""blocked: subtracts the other way round.

Question: blocked
Mistakes: slip
Deserves: 70 %
Fails: blocked_values, blocked_hidden_attention
Tell: The sign is wrong: the effect is the probability before minus the one after, so that a needed word is
    positive.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append(predict(mask)[target] - normal)
    return torch.stack(effects)
