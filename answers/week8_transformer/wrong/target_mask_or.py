"""target_mask: joins the two conditions with or.

Question: target_mask
Mistakes: concept
Deserves: 25 %
Fails: target_mask_causal, target_mask_padding, target_mask_hidden_pad
Tell: A key should count only if it is not later and no padding, and here one of the two is enough: join them with &.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal | (ids != pad_id)[:, None, None, :]
