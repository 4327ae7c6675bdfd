"""target_mask: ones and zeros in float.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_type
Tell: The mask must be boolean: join two boolean tensors with &, and turn nothing into numbers.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, device=ids.device).tril()
    return causal * (ids != pad_id)[:, None, None, :]
