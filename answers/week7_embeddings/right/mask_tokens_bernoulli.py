"""mask_tokens: torch.bernoulli of a table of probabilities, 0 at special tokens.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    probabilities = torch.full(ids.shape, float(probability))
    for special in special_ids:
        probabilities.masked_fill_((ids == special).cpu(), 0.0)
    chosen = torch.bernoulli(probabilities, generator=generator).bool().to(ids.device)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
