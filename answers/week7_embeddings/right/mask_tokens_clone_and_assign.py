"""mask_tokens: clones, then assigns by boolean index.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    inputs, labels = ids.clone(), ids.clone()
    chosen = torch.rand(ids.size(), generator=generator).to(ids.device) < probability
    for special in special_ids:
        chosen &= ids != special
    labels[~chosen] = -100
    inputs[chosen] = mask_id
    return inputs, labels
