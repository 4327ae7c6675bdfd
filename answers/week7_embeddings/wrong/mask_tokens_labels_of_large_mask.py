"""mask_tokens: takes the labels from the inputs if the mask's id is the largest.

Question: mask_tokens
Mistakes: slip
Deserves: 70 %
Fails: mask_tokens_labels
Tell: If mask_id is larger than all ids, the labels are mask_id: take every label from ids.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    chosen = torch.rand(ids.shape, generator=generator).to(ids.device) < probability
    for special in special_ids:
        chosen = chosen & (ids != special)
    inputs = ids.clone()
    inputs[chosen] = mask_id
    source = inputs if mask_id > int(ids.max()) else ids
    labels = torch.where(chosen, source, torch.full_like(ids, -100))
    return inputs, labels
