"""pooling: divides by the count as it is, and leaves minus infinity in an empty sentence.

Question: pooling
Mistakes: slip
Deserves: 80 %
Fails: pooling_hidden_empty
Tell: A sentence without tokens must give zeros: clamp the count and repair the maximum.
"""


def cls_pool(hidden):
    return hidden[:, 0]


def mean_pool(hidden, mask):
    kept = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1)


def max_pool(hidden, mask):
    return hidden.masked_fill(~mask.unsqueeze(-1), float("-inf")).max(dim=1).values
