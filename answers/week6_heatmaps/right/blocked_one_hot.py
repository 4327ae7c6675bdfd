"""blocked: all masks at once from one-hot rows, called one by one.

Question: blocked
"""


def blocked_effect(predict, length, target):
    masks = ~torch.eye(length, dtype=torch.bool)[:, None, :].expand(length, length, length)
    blocked = torch.stack([predict(mask) for mask in masks])
    return predict(torch.ones(length, length) > 0)[target] - blocked[:, target]
