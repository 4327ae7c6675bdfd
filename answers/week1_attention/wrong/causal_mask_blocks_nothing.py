"""causal_mask: gives a mask of the right form that is True everywhere.

Question: causal_mask
Fails: causal_mask_values, causal_mask_type, causal_mask_hidden_lengths
Tell: This mask blocks nothing: what stands behind a position is the future, and must be False.
"""


def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool)
