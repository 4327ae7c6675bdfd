"""padding_mask: counts the real tokens and takes padding to stand at the end.

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_hidden_pad_id
Tell: The mask is right only where all padding is at the end: do not count tokens, the comparison of each
    token with pad_id is the mask.
"""


def padding_mask(token_ids, pad_id):
    lengths = (token_ids != pad_id).sum(dim=1)
    positions = torch.arange(token_ids.shape[1], device=token_ids.device)
    return (positions[None, :] < lengths[:, None]).unsqueeze(1)
