"""target_mask: cuts the triangle out of one of 128 x 128.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_hidden_pad
Tell: Targets of more than 128 tokens fail: make the triangle as large as the target is long.
"""

LOWER = torch.ones(128, 128, dtype=torch.bool).tril()


def target_mask(ids, pad_id):
    length = ids.shape[-1]
    return (ids != pad_id)[:, None, None, :] & LOWER[:length, :length].to(ids.device)
