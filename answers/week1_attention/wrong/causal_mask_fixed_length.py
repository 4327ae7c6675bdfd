"""causal_mask: always makes the mask of the worked example.

Question: causal_mask
Mistakes: concept
Deserves: 30 %
Fails: causal_mask_shape, causal_mask_hidden_lengths
Tell: The mask has the same size whatever the length: take its size from the argument.
"""


def causal_mask(length):
    return torch.tril(torch.ones(4, 4, dtype=torch.bool))
