"""target_mask: hides the rows of padding as well.

Question: target_mask
Mistakes: slip
Deserves: 65 %
Fails: target_mask_padding, target_mask_hidden_pad
Tell: Positions of padding see nothing here: hide padding as a key only, and leave its rows as they are.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    real = ids != pad_id
    return causal & real[:, None, None, :] & real[:, None, :, None]
