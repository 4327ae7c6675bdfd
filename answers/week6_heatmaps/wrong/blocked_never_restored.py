"""blocked: blocks one more key each time.

Question: blocked
Fails: blocked_values, blocked_masks, blocked_hidden_target, blocked_hidden_attention, blocked_hidden_type
Tell: The keys stay blocked from one round to the next: start each mask from all True.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free
        mask[:, key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
