"""blocked: divides by the probability before.

Question: blocked
Mistakes: slip
Deserves: 65 %
Fails: blocked_values, blocked_hidden_attention
Tell: The effects are shares of the probability before: the docstring asks for the plain difference.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects) / normal
