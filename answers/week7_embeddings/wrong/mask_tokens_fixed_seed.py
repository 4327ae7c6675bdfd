"""mask_tokens: seeds a generator of its own.

Question: mask_tokens
Mistakes: slip
Deserves: 65 %
Fails: mask_tokens_share, mask_tokens_hidden_independent, mask_tokens_hidden_generator
Tell: A seed inside the function gives the same gaps in every batch: use the generator that is given.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    own = torch.Generator().manual_seed(0)
    chosen = (torch.rand(ids.shape, generator=own) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
