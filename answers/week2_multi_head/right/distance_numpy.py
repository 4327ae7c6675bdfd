"""distance: numpy for the numbers, torch for the result.

Question: distance
"""


def head_distance(weights):
    w = weights.detach().cpu().numpy()
    diff = np.abs(w[:, :, np.newaxis] - w[:, np.newaxis])
    result = 0.5 * diff.sum(axis=-1).mean(axis=(0, 3))
    return torch.as_tensor(result, dtype=weights.dtype, device=weights.device)


def diversity(weights):
    d = head_distance(weights).cpu().numpy()
    pairs = d[np.triu_indices(d.shape[0], k=1)]
    return float(pairs.mean()) if pairs.size else 0.0
