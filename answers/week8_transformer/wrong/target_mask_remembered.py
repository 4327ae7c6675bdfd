"""target_mask: keeps the mask of an earlier target of the same shape.

Question: target_mask
Mistakes: slip
Deserves: 80 %
Fails: target_mask_hidden_pad
Tell: The mask of an earlier call comes back for a target of the same shape: make it from the ids of this call.
"""

KEPT_MASKS = {}


def target_mask(ids, pad_id):
    key = (tuple(ids.shape), pad_id)
    if key not in KEPT_MASKS:
        length = ids.shape[1]
        past = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        KEPT_MASKS[key] = past & (ids != pad_id)[:, None, None, :]
    return KEPT_MASKS[key]
