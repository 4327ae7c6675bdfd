"""target_mask: no position may look at itself.

Question: target_mask
Mistakes: slip
Deserves: 60 %
Fails: target_mask_causal, target_mask_hidden_pad
Tell: A position should be able to look at itself: keep the diagonal of the triangle.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril(-1)
    return causal & (ids != pad_id)[:, None, None, :]
