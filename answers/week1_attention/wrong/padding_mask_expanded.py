"""padding_mask: blocks padded queries as well as padded keys.

Question: padding_mask
Fails: padding_mask_values, padding_mask_shape, padding_mask_hidden_pad_id
Tell: The mask is (batch, key, key) and blocks padded queries too, which leaves rows that may attend
    nowhere: return (batch, 1, key).
"""


def padding_mask(token_ids, pad_id):
    real = token_ids != pad_id
    return real.unsqueeze(1) & real.unsqueeze(2)
