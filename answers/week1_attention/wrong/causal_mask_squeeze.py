"""causal_mask: squeezes the mask, which a mask of length 1 does not survive.

Question: causal_mask
Mistakes: slip
Deserves: 80 %
Fails: causal_mask_shape
Tell: A mask of length 1 has lost its dimensions, for example by squeeze(): keep both.
"""


def causal_mask(length):
    positions = torch.arange(length)
    return (positions[:, None] >= positions[None, :]).squeeze()
