"""target_mask: the lower triangle and the comparison, joined by &.

Question: target_mask
"""


def target_mask(ids, pad_id):
    n = ids.shape[1]
    causal = torch.tril(torch.ones(n, n, dtype=torch.bool, device=ids.device))
    keep = (ids != pad_id).unsqueeze(1).unsqueeze(2)
    return causal & keep
