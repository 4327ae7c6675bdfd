"""padding_mask: squeezes the mask, so a batch of one sentence loses a dimension.

Question: padding_mask
Mistakes: slip
Deserves: 70 %
Fails: padding_mask_shape
Tell: Dimensions of length 1 are missing in the mask: its shape should be (batch, 1, key).
"""


def padding_mask(token_ids, pad_id):
    mask = (token_ids != pad_id).squeeze()
    return mask[:, None] if mask.dim() == 2 else mask
