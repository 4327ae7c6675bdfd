"""target_mask: forgets the future.

Question: target_mask
Mistakes: concept
Deserves: 50 %
Fails: target_mask_causal, target_mask_hidden_pad
Tell: Positions may look at later ones: join the padding mask with the lower triangle.
"""


def target_mask(ids, pad_id):
    batch, length = ids.shape
    return (ids != pad_id)[:, None, None, :].expand(batch, 1, length, length)
