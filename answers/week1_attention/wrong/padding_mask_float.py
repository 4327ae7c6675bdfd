"""padding_mask: right pattern, but in float.

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_type
Tell: The mask must be boolean, and yours is float, for example because of .float(): return what the comparison
    gives.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).float().unsqueeze(1)
