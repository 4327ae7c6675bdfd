"""causal_mask: only the diagonal: nobody sees the past.

Question: causal_mask
Mistakes: concept
Deserves: 30 %
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: Each position sees only itself: every earlier position must be True too.
"""


def causal_mask(length):
    return torch.eye(length, dtype=torch.bool)
