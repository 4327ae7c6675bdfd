"""target_mask: squeezes away dimensions of length 1.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_type
Tell: With one sequence or one token the shape loses dimensions, as by squeeze(): keep all four.
"""


def target_mask(ids, pad_id):
    keep = (ids != pad_id).squeeze()
    if keep.dim() < 2:
        return torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril() & keep
    length = ids.shape[1]
    return torch.ones(length, length, dtype=torch.bool).tril() & keep[:, None, None, :]
