"""padding_mask: blocks padded queries as well as padded keys.

Question: padding_mask
Mistakes: concept
Deserves: 40 %
Fails: padding_mask_values, padding_mask_shape, padding_mask_hidden_pad_id
Tell: The mask has an entry per query: return (batch, 1, key), the same for every query, so that a padded
    query may attend to words too.
"""


def padding_mask(token_ids, pad_id):
    real = token_ids != pad_id
    return real.unsqueeze(1) & real.unsqueeze(2)
