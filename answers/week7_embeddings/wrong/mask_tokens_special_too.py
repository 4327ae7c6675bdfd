"""mask_tokens: may choose special tokens.

Question: mask_tokens
Mistakes: slip
Deserves: 70 %
Fails: mask_tokens_special
Tell: special_ids is not used: padding and <CLS> must never be chosen.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
