"""target_mask: uses the padding of the first sequence for all.

Question: target_mask
Mistakes: slip
Deserves: 70 %
Fails: target_mask_padding, target_mask_hidden_pad
Tell: Every sequence has its own padding: compare all of ids, and not the first sequence alone.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal & (ids[0] != pad_id).expand(len(ids), 1, 1, -1)
