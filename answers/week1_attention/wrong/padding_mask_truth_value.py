"""padding_mask: takes the truth value of the ids.

Question: padding_mask
Mistakes: slip
Deserves: 60 %
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: The mask is the same whatever pad_id is: compare the ids with pad_id. An id of 0 is no sign of padding.
"""


def padding_mask(token_ids, pad_id):
    return token_ids.bool()[:, None]
