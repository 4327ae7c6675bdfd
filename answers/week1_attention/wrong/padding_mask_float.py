"""padding_mask: right pattern, but in float.

Question: padding_mask
Fails: padding_mask_shape
Tell: The mask must be boolean, and yours is float: leave out .float().
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).float().unsqueeze(1)
