"""mask_tokens: takes 0 for the only special id.

Question: mask_tokens
Mistakes: slip
Deserves: 75 %
Fails: mask_tokens_special
Tell: Only id 0 is spared: every id of special_ids must be.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device) & (ids != 0)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
