"""causal_mask: right pattern, as a numpy array.

Question: causal_mask
Fails: causal_mask_values, causal_mask_type, causal_mask_hidden_lengths
Tell: The mask is a numpy array and the docstring asks for a torch tensor: wrap it in torch.from_numpy.
"""


def causal_mask(length):
    return np.tril(np.ones((length, length), dtype=bool))
