"""pooling: assumes that padding comes last: takes the first mask.sum() tokens.

Question: pooling
Mistakes: slip
Deserves: 70 %
Fails: pooling_padding
Tell: Tokens that count may be anywhere: use the mask itself, not only how many are True.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    rows = []
    for h, m in zip(hidden, mask, strict=True):
        n = int(m.sum())
        rows.append(h[:n].mean(dim=0) if n else torch.zeros_like(h[0]))
    return torch.stack(rows)


def max_pool(hidden, mask):
    rows = []
    for h, m in zip(hidden, mask, strict=True):
        n = int(m.sum())
        rows.append(h[:n].max(dim=0).values if n else torch.zeros_like(h[0]))
    return torch.stack(rows)
