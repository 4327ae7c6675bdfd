"""mask_tokens: returns ids itself where no token is chosen.

Question: mask_tokens
Mistakes: slip
Deserves: 85 %
Fails: mask_tokens_hidden_inputs
Tell: Where no token is chosen, the caller's own tensor comes back: return a new one in any case.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    if not chosen.any():
        return ids, torch.full_like(ids, -100)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
