"""causal_mask: the lower triangle of ones.

Question: causal_mask
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))
