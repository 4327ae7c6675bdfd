"""causal_mask: compares row and column numbers.

Question: causal_mask
"""


def causal_mask(length):
    positions = torch.arange(length)
    return positions[None, :] <= positions[:, None]
