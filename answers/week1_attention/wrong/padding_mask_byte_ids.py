"""padding_mask: compares the ids as bytes.

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_hidden_pad_id
Tell: Ids are cut to 8 bits, so 256 counts as 0: compare token_ids as they are.
"""


def padding_mask(token_ids, pad_id):
    ids = token_ids.to(torch.uint8)
    return ids.ne(pad_id)[:, None, :]
