"""causal_mask: right pattern, as a numpy array.

Question: causal_mask
Mistakes: slip
Deserves: 75 %
Fails: causal_mask_type
Tell: The mask is a numpy array, and the docstring asks for a torch tensor: wrap it in torch.from_numpy.
"""


def causal_mask(length):
    return np.tril(np.ones((length, length), dtype=bool))
