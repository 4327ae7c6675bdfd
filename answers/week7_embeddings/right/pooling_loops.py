"""pooling: one sentence at a time, with a boolean index.

Question: pooling
"""


def cls_pool(hidden):
    return torch.stack([sentence[0] for sentence in hidden])


def mean_pool(hidden, mask):
    rows = []
    for i in range(hidden.shape[0]):
        tokens = hidden[i][mask[i]]
        if len(tokens) == 0:
            rows.append(torch.zeros(hidden.shape[2], dtype=hidden.dtype, device=hidden.device))
        else:
            rows.append(tokens.mean(dim=0))
    return torch.stack(rows)


def max_pool(hidden, mask):
    rows = []
    for i in range(hidden.shape[0]):
        tokens = hidden[i][mask[i]]
        if len(tokens) == 0:
            rows.append(torch.zeros(hidden.shape[2], dtype=hidden.dtype, device=hidden.device))
        else:
            rows.append(tokens.max(dim=0).values)
    return torch.stack(rows)
