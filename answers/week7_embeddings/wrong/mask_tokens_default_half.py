"""mask_tokens: has another default probability.

Question: mask_tokens
Mistakes: slip
Deserves: 85 %
Fails: mask_tokens_share
Tell: By default half of the tokens are hidden: the docstring's default is 0.15.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.5, generator=None):
    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
