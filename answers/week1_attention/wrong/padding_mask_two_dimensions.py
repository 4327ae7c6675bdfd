"""padding_mask: returns (batch, key).

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_type, padding_mask_shape
Tell: The shape is (batch, key), which does not broadcast to (batch, query, key): add a dimension of size 1
    for the query, unsqueeze(1).
"""


def padding_mask(token_ids, pad_id):
    return token_ids != pad_id
