"""mask_tokens: gives every token a label.

Question: mask_tokens
Mistakes: slip
Deserves: 65 %
Fails: mask_tokens_labels
Tell: Every token has a label: where a token was not chosen it must be -100.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)

    return ids.masked_fill(chosen, mask_id), ids.clone()
