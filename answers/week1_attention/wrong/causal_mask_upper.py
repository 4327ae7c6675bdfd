"""causal_mask: the upper triangle: each position sees the future.

Question: causal_mask
Mistakes: concept
Deserves: 40 %
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: Each row is a query, and here it sees itself and the future: take the lower triangle, torch.tril.
"""


def causal_mask(length):
    return torch.triu(torch.ones(length, length, dtype=torch.bool))
