"""padding_mask: adds a dimension for the heads as well.

Question: padding_mask
Fails: padding_mask_shape
Tell: The shape is (batch, 1, 1, key), and the docstring says (batch, 1, key): add one dimension, not two.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).unsqueeze(1).unsqueeze(2)
