"""causal_mask: lets each position see the 64 nearest keys only.

Question: causal_mask
Mistakes: slip
Deserves: 75 %
Fails: causal_mask_hidden_lengths
Tell: Keys that are far back are blocked: a position should see all positions before it.
"""


def causal_mask(length):
    row = torch.arange(length)[:, None]
    column = torch.arange(length)[None]
    return (column <= row) & (row - column < 64)
