"""mask_tokens: special tokens have probability 0 in a Bernoulli draw.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    p = torch.full(ids.shape, float(probability))
    for s in special_ids:
        p = p.masked_fill((ids == s).cpu(), 0.0)
    chosen = torch.bernoulli(p, generator=generator).bool().to(ids.device)
    return torch.where(chosen, torch.tensor(mask_id, device=ids.device), ids), torch.where(
        chosen, ids, torch.tensor(-100, device=ids.device)
    )
