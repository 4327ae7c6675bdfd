"""target_mask: has a shortcut for targets of one token.

Question: target_mask
Mistakes: slip
Deserves: 80 %
Fails: target_mask_hidden_pad
Tell: A target that is one token long may attend to it here even if it is padding: compare it with pad_id, too.
"""


def target_mask(ids, pad_id):
    batch, n = ids.shape
    if n == 1:
        return torch.ones(batch, 1, 1, 1, device=ids.device).bool()
    return (ids != pad_id)[:, None, None, :].repeat(1, 1, n, 1).tril()
