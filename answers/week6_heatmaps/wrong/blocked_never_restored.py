"""blocked: blocks one more key each time.

Question: blocked
Mistakes: slip
Deserves: 60 %
Fails: blocked_masks, blocked_hidden_attention
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
