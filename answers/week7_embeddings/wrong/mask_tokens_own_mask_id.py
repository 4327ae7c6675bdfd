"""mask_tokens: hides with this notebook's id of <MASK>, whatever mask_id is.

Question: mask_tokens
Mistakes: slip
Deserves: 80 %
Fails: mask_tokens_special
Tell: mask_id is not used: it says which id hides a token, and another tokenizer has another.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, 5), ids.masked_fill(~chosen, -100)
