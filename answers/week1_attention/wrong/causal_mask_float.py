"""causal_mask: right pattern, but ones and zeros in float.

Question: causal_mask
Mistakes: slip
Deserves: 75 %
Fails: causal_mask_type
Tell: The mask must be boolean, and yours is float: make it with dtype=torch.bool or call .bool().
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length))
