"""mask_tokens: gives -100 to the chosen tokens.

Question: mask_tokens
Mistakes: slip
Deserves: 65 %
Fails: mask_tokens_labels
Tell: The labels are the wrong way round: they should be the id where a token is hidden, and -100 elsewhere.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)

    return ids.masked_fill(chosen, mask_id), ids.masked_fill(chosen, -100)
