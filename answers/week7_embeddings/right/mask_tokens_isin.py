"""mask_tokens: torch.isin and torch.where.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    numbers = torch.rand(ids.shape, generator=generator).to(ids.device)
    special = torch.isin(ids, torch.tensor(list(special_ids), dtype=ids.dtype, device=ids.device))
    chosen = (numbers < probability) & ~special
    inputs = torch.where(chosen, torch.full_like(ids, mask_id), ids)
    labels = torch.where(chosen, ids, torch.full_like(ids, -100))
    return inputs, labels
