"""target_mask: computed in numpy and brought back.

Question: target_mask
"""


def target_mask(ids, pad_id):
    tokens = ids.cpu().numpy()
    n = tokens.shape[1]
    mask = np.tril(np.ones((n, n), dtype=bool))[None, None] & (tokens != pad_id)[:, None, None, :]
    return torch.from_numpy(mask).to(ids.device)
