"""mask_tokens: chooses where the number is above the probability.

Question: mask_tokens
Mistakes: slip
Deserves: 70 %
Fails: mask_tokens_special, mask_tokens_share
Tell: The comparison is the wrong way round: at 0.15 it hides 85 % of the tokens.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) > probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
