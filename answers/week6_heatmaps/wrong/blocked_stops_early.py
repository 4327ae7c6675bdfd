"""blocked: never blocks the last key.

Question: blocked
Mistakes: slip
Deserves: 60 %
Fails: blocked_masks, blocked_hidden_attention, blocked_hidden_type
Tell: One effect is missing: range(length - 1) leaves out the last key.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length - 1):
        mask = free.clone()
        mask[:, key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
