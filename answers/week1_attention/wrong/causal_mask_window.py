"""causal_mask: a position sees itself and only the three before it.

Question: causal_mask
Mistakes: slip
Deserves: 60 %
Fails: causal_mask_hidden_lengths
Tell: A position sees only the last few positions before it: it should see all of them.
"""


def causal_mask(length):
    distance = torch.arange(length)[:, None] - torch.arange(length)
    return (distance >= 0) & (distance < 4)
