"""blocked: one mask that is changed and restored.

Question: blocked
"""


def blocked_effect(predict, length, target):
    mask = torch.ones((length, length)).bool()
    free = predict(mask)
    normal = free[target].item()
    changes = []
    for j in range(length):
        mask[:, j] = False
        changes.append(normal - predict(mask)[target].item())
        mask[:, j] = True
    return torch.tensor(changes, dtype=free.dtype)
