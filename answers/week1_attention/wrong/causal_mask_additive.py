"""causal_mask: an additive mask of 0 and minus infinity.

Question: causal_mask
Mistakes: slip
Deserves: 55 %
Fails: causal_mask_type, causal_mask_hidden_lengths
Tell: The mask has to be boolean with True = may attend, and yours holds 0 and minus infinity, to be added
    to scores: return mask == 0.
"""


def causal_mask(length):
    mask = torch.full((length, length), float("-inf"))
    return torch.triu(mask, diagonal=1)
