"""blocked: blocks only a position's attention to itself.

Question: blocked
Mistakes: concept
Deserves: 55 %
Fails: blocked_masks, blocked_hidden_attention
Tell: Only the entry on the diagonal is blocked, all other queries still hear the word: block the whole
    column.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[key, key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
