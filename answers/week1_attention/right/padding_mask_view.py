"""padding_mask: finds the padding, turns it round, sets the shape with view.

Question: padding_mask
"""


def padding_mask(token_ids, pad_id):
    is_pad = token_ids == pad_id
    batch, length = token_ids.shape
    return torch.logical_not(is_pad).view(batch, 1, length)
