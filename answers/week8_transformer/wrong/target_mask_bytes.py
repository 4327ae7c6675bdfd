"""target_mask: compares ids as bytes.

Question: target_mask
Mistakes: slip
Deserves: 80 %
Fails: target_mask_hidden_pad
Tell: Token 256 is taken for padding token 0, as by uint8 or a remainder: compare ids as they are, in their own dtype.
"""


def target_mask(ids, pad_id):
    n = ids.shape[1]
    return ids.byte().ne(pad_id)[:, None, None, :].repeat(1, 1, n, 1).tril()
