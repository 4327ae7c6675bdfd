"""padding_mask: True where there is padding.

Question: padding_mask
Mistakes: slip
Deserves: 60 %
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: The mask is the wrong way round: True means may attend, so real tokens should be True and padding False.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids == pad_id).unsqueeze(1)
