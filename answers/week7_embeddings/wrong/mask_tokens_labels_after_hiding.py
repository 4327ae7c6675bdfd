"""mask_tokens: copies the labels after the tokens are hidden.

Question: mask_tokens
Mistakes: slip
Deserves: 65 %
Fails: mask_tokens_labels
Tell: The labels are copied from the input after hiding, so each is the mask's id: keep a copy from before.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)

    inputs = ids.clone()
    inputs[chosen] = mask_id
    labels = inputs.clone()
    labels[~chosen] = -100
    return inputs, labels
