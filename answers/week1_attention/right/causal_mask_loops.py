"""causal_mask: fills the mask entry by entry.

Question: causal_mask
"""


def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        for j in range(i + 1):
            mask[i, j] = True
    return mask
