"""padding_mask: takes 0 for the padding, whatever pad_id says.

Question: padding_mask
Mistakes: slip
Deserves: 60 %
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: The mask is the same whatever pad_id is: tokens should count as padding where their id is pad_id, not
    where it is 0.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != 0).unsqueeze(1)
