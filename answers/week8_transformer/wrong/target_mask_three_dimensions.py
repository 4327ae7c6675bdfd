"""target_mask: has no dimension for the heads.

Question: target_mask
Mistakes: slip
Deserves: 70 %
Fails: target_mask_type
Tell: The shape is (batch, length, length): put a dimension of length 1 for the heads behind the batch.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal & (ids != pad_id)[:, None, :]
