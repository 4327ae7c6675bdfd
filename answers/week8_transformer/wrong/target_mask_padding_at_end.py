"""target_mask: counts the padding and takes it to be at the end.

Question: target_mask
Mistakes: slip
Deserves: 65 %
Fails: target_mask_padding, target_mask_hidden_pad
Tell: Padding is taken to be at the end of a sequence: compare each token with pad_id, since it may be anywhere.
"""


def target_mask(ids, pad_id):
    places = torch.arange(ids.shape[1], device=ids.device)
    lengths = (ids != pad_id).sum(dim=1)
    keep = places < lengths[:, None]
    return (places[None, :] <= places[:, None]) & keep[:, None, None, :]
