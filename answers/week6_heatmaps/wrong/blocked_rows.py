"""blocked: blocks a query instead of a key.

Question: blocked
Mistakes: concept
Deserves: 60 %
Fails: blocked_masks, blocked_hidden_attention
Tell: A row of the mask is a query: to keep everyone from hearing a word set its column False, mask[:, key].
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
