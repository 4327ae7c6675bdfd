"""padding_mask: takes the truth value of the ids.

Question: padding_mask
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: .bool() makes every id but 0 True, so it works only for pad_id = 0: compare the ids with pad_id.
"""


def padding_mask(token_ids, pad_id):
    return token_ids.bool()[:, None]
