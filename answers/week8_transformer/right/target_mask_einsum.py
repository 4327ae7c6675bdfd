"""target_mask: einsum of two tables of floats.

Question: target_mask
"""


def target_mask(ids, pad_id):
    n = ids.shape[-1]
    a = 1 - torch.triu(torch.ones(n, n, device=ids.device), diagonal=1)
    b = (ids != pad_id).float()
    return torch.einsum("qk,bk->bqk", a, b).bool().unsqueeze(1)
