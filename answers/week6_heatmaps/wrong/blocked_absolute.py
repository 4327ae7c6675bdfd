"""blocked: drops the sign.

Question: blocked
Mistakes: slip
Deserves: 70 %
Fails: blocked_values, blocked_hidden_attention
Tell: All effects are positive: where blocking helps, the effect must be negative, so take no absolute
    value.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append((normal - predict(mask)[target]).abs())
    return torch.stack(effects)
