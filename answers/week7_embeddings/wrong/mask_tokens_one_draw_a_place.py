"""mask_tokens: draws one number for each position, shared by all sentences.

Question: mask_tokens
Mistakes: slip
Deserves: 65 %
Fails: mask_tokens_hidden_independent
Tell: All sentences have their gaps at the same positions: draw one number for each entry of ids.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape[1], generator=generator) < probability).to(ids.device).expand(ids.shape)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
