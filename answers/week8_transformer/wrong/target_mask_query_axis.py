"""target_mask: blocks padding as a query, not as a key.

Question: target_mask
Fails: target_mask_pattern, target_mask_hidden_pad, target_mask_hidden_short
Tell: Padding is blocked along the rows: it is the key, the last dimension, that must not be looked at.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal & (ids != pad_id)[:, None, :, None]
