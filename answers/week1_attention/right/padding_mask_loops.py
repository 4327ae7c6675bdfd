"""padding_mask: one token at a time.

Question: padding_mask
"""


def padding_mask(token_ids, pad_id):
    batch, length = token_ids.shape
    mask = torch.ones(batch, 1, length, dtype=torch.bool, device=token_ids.device)
    for b in range(batch):
        for j in range(length):
            if token_ids[b, j] == pad_id:
                mask[b, 0, j] = False
    return mask
