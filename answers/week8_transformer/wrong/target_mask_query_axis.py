"""target_mask: blocks padding as a query, not as a key.

Question: target_mask
Mistakes: concept
Deserves: 50 %
Fails: target_mask_padding, target_mask_hidden_pad
Tell: Padding is blocked along the rows: it is the key, the last dimension, that must not be looked at.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal & (ids != pad_id)[:, None, :, None]
