"""mask_tokens: spares the special tokens of this notebook, whatever special_ids says.

Question: mask_tokens
Mistakes: slip
Deserves: 80 %
Fails: mask_tokens_special
Tell: special_ids is not used: it says which ids are special, and another tokenizer has others.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    chosen = chosen & (ids >= len(SPECIALS))
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
