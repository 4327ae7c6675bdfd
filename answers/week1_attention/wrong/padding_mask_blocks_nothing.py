"""padding_mask: gives a mask of the right form that is True everywhere.

Question: padding_mask
Mistakes: concept
Deserves: 10 %
Fails: padding_mask_values, padding_mask_type, padding_mask_shape, padding_mask_hidden_pad_id
Tell: This mask blocks nothing: it must be False where the token is padding.
"""


def padding_mask(token_ids, pad_id):
    return torch.ones(token_ids.shape[0], 1, token_ids.shape[1], dtype=torch.bool)
