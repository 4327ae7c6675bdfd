"""causal_mask: the upper triangle: each position sees the future.

Question: causal_mask
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: Each row is a query and may look back, not ahead: take the lower triangle, torch.tril.
"""


def causal_mask(length):
    return torch.triu(torch.ones(length, length, dtype=torch.bool))
