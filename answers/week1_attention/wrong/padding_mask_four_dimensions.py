"""padding_mask: adds a dimension for the heads as well.

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_shape
Tell: The mask has a dimension too many: its shape should be (batch, 1, key).
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).unsqueeze(1).unsqueeze(2)
