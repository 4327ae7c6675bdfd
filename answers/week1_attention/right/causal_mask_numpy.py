"""causal_mask: numpy's np.tri, handed to torch.

Question: causal_mask
"""


def causal_mask(length):
    return torch.from_numpy(np.tri(length, dtype=bool))
