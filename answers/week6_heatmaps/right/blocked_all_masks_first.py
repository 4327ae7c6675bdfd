"""blocked: all masks in one tensor, the free model last.

Question: blocked
"""


def blocked_effect(predict, length, target):
    masks = ~torch.eye(length, dtype=torch.bool)[:, None, :].repeat(1, length, 1)
    p = torch.stack([predict(mask)[target] for mask in masks])
    return predict(torch.full((length, length), True))[target] - p
