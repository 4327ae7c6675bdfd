"""mask_tokens: gives labels to special tokens that it does not hide.

Question: mask_tokens
Mistakes: slip
Deserves: 75 %
Fails: mask_tokens_labels
Tell: Some special tokens have a label although they are not hidden: use the same `chosen` for inputs and
    labels.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    drawn = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    chosen = drawn
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~drawn, -100)
