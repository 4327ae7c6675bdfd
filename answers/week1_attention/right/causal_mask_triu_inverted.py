"""causal_mask: the future is above the diagonal, and not allowed.

Question: causal_mask
"""


def causal_mask(length):
    future = torch.triu(torch.ones(length, length), diagonal=1)
    return future == 0
