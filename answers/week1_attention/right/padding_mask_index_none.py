"""padding_mask: ne and an index with None.

Question: padding_mask
"""


def padding_mask(token_ids, pad_id):
    return token_ids.ne(pad_id)[:, None, :]
