"""blocked: watches the model's favourite answer.

Question: blocked
Mistakes: slip
Deserves: 60 %
Fails: blocked_target, blocked_hidden_attention
Tell: The most likely answer is watched instead of the target: take the entry `target` before and after.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)
    target = normal.argmax()
    normal = normal[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append(normal - predict(mask)[target])
    return torch.stack(effects)
