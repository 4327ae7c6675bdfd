"""causal_mask: gives a mask of the right form that is True everywhere.

Question: causal_mask
Mistakes: concept
Deserves: 10 %
Fails: causal_mask_values, causal_mask_type, causal_mask_shape, causal_mask_hidden_lengths
Tell: This mask blocks nothing: the keys after a position are its future, and must be False.
"""


def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool)
