"""padding_mask: puts the new dimension at the end: it blocks queries instead of keys.

Question: padding_mask
Mistakes: concept
Deserves: 50 %
Fails: padding_mask_values, padding_mask_shape
Tell: The mask has shape (batch, key, 1) and blocks whole queries: put the new dimension in the middle,
    unsqueeze(1).
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).unsqueeze(2)
