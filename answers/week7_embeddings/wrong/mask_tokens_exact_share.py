"""mask_tokens: hides exactly the given share of the batch.

Question: mask_tokens
Mistakes: concept
Deserves: 60 %
Fails: mask_tokens_share, mask_tokens_hidden_independent
Tell: The number of hidden tokens is fixed for the whole batch: decide for each token on its own.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    ordinary = torch.ones_like(ids, dtype=torch.bool)
    for special in special_ids:
        ordinary = ordinary & (ids != special)
    places = ordinary.flatten().nonzero().flatten()
    order = torch.randperm(len(places), generator=generator).to(ids.device)
    chosen = torch.zeros(ids.numel(), dtype=torch.bool, device=ids.device)
    chosen[places[order[: int(probability * len(places))]]] = True
    chosen = chosen.reshape(ids.shape)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
