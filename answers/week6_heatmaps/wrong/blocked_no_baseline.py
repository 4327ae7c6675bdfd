"""blocked: compares with certainty instead of the free model.

Question: blocked
Mistakes: concept
Deserves: 45 %
Fails: blocked_values, blocked_target, blocked_hidden_attention
Tell: The comparison is with a probability of 1: subtract from what the model gives when nothing is blocked.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    predict(free)
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append(1 - predict(mask)[target])
    return torch.stack(effects)
