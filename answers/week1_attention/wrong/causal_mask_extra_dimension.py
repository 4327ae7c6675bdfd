"""causal_mask: adds a batch dimension in front.

Question: causal_mask
Mistakes: slip
Deserves: 75 %
Fails: causal_mask_shape
Tell: The mask has a dimension too many: its shape should be (length, length).
"""


def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool)).unsqueeze(0)
