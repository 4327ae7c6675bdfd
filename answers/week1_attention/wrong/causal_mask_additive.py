"""causal_mask: an additive mask of 0 and minus infinity.

Question: causal_mask
Fails: causal_mask_values, causal_mask_type, causal_mask_hidden_lengths
Tell: The docstring asks for a boolean mask, True = may attend, and yours is a float mask to be added: return
    mask == 0.
"""


def causal_mask(length):
    mask = torch.full((length, length), float("-inf"))
    return torch.triu(mask, diagonal=1)
