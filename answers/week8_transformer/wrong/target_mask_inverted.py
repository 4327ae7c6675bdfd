"""target_mask: True where attention is forbidden.

Question: target_mask
Mistakes: slip
Deserves: 60 %
Fails: target_mask_type
Tell: The mask is the wrong way round: True should mean may attend.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return ~(causal & (ids != pad_id)[:, None, None, :])
