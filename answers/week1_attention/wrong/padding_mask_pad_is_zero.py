"""padding_mask: takes 0 for the padding, whatever pad_id says.

Question: padding_mask
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: The argument pad_id is never used: compare with pad_id, which need not be 0.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != 0).unsqueeze(1)
