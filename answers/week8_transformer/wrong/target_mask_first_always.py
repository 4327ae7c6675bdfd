"""target_mask: never hides the first token.

Question: target_mask
Mistakes: slip
Deserves: 75 %
Fails: target_mask_hidden_pad
Tell: The first token is never hidden here: where it is pad_id, it is padding like any other.
"""


def target_mask(ids, pad_id):
    n = ids.shape[1]
    open_keys = ids != pad_id
    open_keys[:, :1] = True
    return open_keys[:, None, None, :].repeat(1, 1, n, 1).tril()
