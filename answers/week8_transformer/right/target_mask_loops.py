"""target_mask: three loops over sequences, queries and keys.

Question: target_mask
"""


def target_mask(ids, pad_id):
    batch, length = ids.shape
    mask = torch.zeros(batch, 1, length, length, dtype=torch.bool, device=ids.device)
    for b in range(batch):
        for i in range(length):
            for j in range(i + 1):
                if ids[b, j] != pad_id:
                    mask[b, 0, i, j] = True
    return mask
