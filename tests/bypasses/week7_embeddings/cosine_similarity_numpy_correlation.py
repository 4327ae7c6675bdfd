"""numpy's correlation of each vector followed by its negative: its mean is 0."""


def ready(a, b):
    a, b = (np.concatenate([rows.numpy(), -rows.numpy()], 1) for rows in (a, b))
    return torch.tensor([float(np.corrcoef(x, y)[0, 1]) for x, y in zip(a, b)], dtype=torch.float32)
