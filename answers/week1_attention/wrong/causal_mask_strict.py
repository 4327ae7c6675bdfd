"""causal_mask: blocks the diagonal, so no position sees itself.

Question: causal_mask
Mistakes: slip
Deserves: 60 %
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: A position should see itself too: keep the diagonal, so that no row is empty.
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool), diagonal=-1)
