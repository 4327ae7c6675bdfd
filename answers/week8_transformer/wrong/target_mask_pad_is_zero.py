"""target_mask: takes every padding token to be 0.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_hidden_pad
Tell: Padding need not be token 0: compare with pad_id, not with 0.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal & (ids != 0)[:, None, None, :]
