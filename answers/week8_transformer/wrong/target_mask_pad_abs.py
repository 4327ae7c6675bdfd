"""target_mask: drops the sign of pad_id.

Question: target_mask
Mistakes: slip
Deserves: 85 %
Fails: target_mask_hidden_pad
Tell: With pad_id -1 the tokens with id 1 are hidden, as by abs(): compare ids with pad_id itself.
"""


def target_mask(ids, pad_id):
    n = ids.shape[1]
    return ids.ne(abs(pad_id))[:, None, None, :].repeat(1, 1, n, 1).tril()
