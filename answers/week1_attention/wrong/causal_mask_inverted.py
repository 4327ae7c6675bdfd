"""causal_mask: True where attention is forbidden.

Question: causal_mask
Mistakes: slip
Deserves: 60 %
Fails: causal_mask_values, causal_mask_hidden_lengths
Tell: The mask is the wrong way round: True means may attend, so the lower triangle with the diagonal should
    be True.
"""


def causal_mask(length):
    return torch.triu(torch.ones(length, length), diagonal=1).bool()
