"""padding_mask: gives the ids themselves, which count as true where they are not 0.

Question: padding_mask
Mistakes: concept
Deserves: 5 %
Fails: padding_mask_values, padding_mask_type, padding_mask_shape, padding_mask_hidden_pad_id
Tell: These are the ids, not a mask: compare them with pad_id.
"""


def padding_mask(token_ids, pad_id):
    return token_ids
