"""target_mask: opens rows in which everything is hidden.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_hidden_pad
Tell: A row whose keys are all padding or later is opened as a whole: all of it has to be False.
"""


def target_mask(ids, pad_id):
    n = ids.shape[1]
    mask = (ids != pad_id)[:, None, None, :].repeat(1, 1, n, 1).tril()
    empty = ~mask.any(dim=-1)
    mask[empty] = True
    return mask
