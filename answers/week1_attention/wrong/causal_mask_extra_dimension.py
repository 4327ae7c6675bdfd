"""causal_mask: adds a batch dimension in front.

Question: causal_mask
Fails: causal_mask_type
Tell: The shape is (1, length, length), and the docstring says (length, length): leave out unsqueeze(0).
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool)).unsqueeze(0)
