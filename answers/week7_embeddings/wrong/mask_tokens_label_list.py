"""mask_tokens: returns the labels as a list.

Question: mask_tokens
Mistakes: slip
Deserves: 75 %
Fails: mask_tokens_labels
Tell: The labels are a Python list: both results should be int64 tensors.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100).tolist()
