"""causal_mask: the sum of the identity's rows so far is 1 up to the diagonal.

Question: causal_mask
"""


def causal_mask(length):
    return torch.cumsum(torch.eye(length), dim=0) > 0
