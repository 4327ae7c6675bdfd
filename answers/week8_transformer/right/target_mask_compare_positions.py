"""target_mask: compares two rows of positions in place of tril.

Question: target_mask
"""


def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    return (place[None, :] <= place[:, None])[None, None] & ids.ne(pad_id)[:, None, None]
