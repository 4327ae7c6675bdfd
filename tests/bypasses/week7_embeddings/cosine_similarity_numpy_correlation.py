"""numpy's correlation of each vector followed by its negative: its mean is 0."""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    pairs = zip(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]), strict=True)
    found = []
    for x, y in pairs:
        x, y = (np.concatenate([v.numpy(), -v.numpy()]) for v in (x, y))
        found.append(float(np.corrcoef(x, y)[0, 1]))
    return torch.tensor(found, dtype=a.dtype).reshape(a.shape[:-1])
