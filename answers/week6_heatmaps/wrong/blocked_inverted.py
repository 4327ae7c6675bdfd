"""blocked: takes True for blocked.

Question: blocked
Mistakes: concept
Deserves: 55 %
Fails: blocked_masks, blocked_hidden_attention
Tell: The masks are the wrong way round: True means may attend, so only the blocked key's column should be
    False.
"""


def blocked_effect(predict, length, target):
    free = torch.zeros(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = True
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
