"""padding_mask: compares and puts the query dimension in the middle.

Question: padding_mask
"""


def padding_mask(token_ids, pad_id):
    return (token_ids != pad_id).unsqueeze(1)
