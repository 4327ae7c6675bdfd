"""mask_tokens: one token at a time, a number drawn for each.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    numbers = torch.rand(ids.shape, generator=generator).tolist()
    for i, row in enumerate(ids.tolist()):
        for j, token in enumerate(row):
            if token not in special_ids and numbers[i][j] < probability:
                inputs[i, j] = mask_id
                labels[i, j] = token
    return inputs, labels
