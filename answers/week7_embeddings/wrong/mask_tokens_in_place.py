"""mask_tokens: hides the tokens in the caller's tensor.

Question: mask_tokens
Mistakes: slip
Deserves: 80 %
Fails: mask_tokens_hidden_inputs
Tell: The caller's ids are changed, for example by `ids[chosen] = mask_id`, or through a second name as after
    `labels = ids`: write into clones.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)

    labels = ids.clone()
    labels[~chosen] = -100
    ids[chosen] = mask_id
    return ids, labels
