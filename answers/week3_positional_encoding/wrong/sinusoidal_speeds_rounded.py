"""sinusoidal: rounds the speeds to five decimals.

Question: sinusoidal
Mistakes: slip
Deserves: 80 %
Fails: sinusoidal_rates
Tell: The speeds are rounded, by a small dtype or by a function such as round: use them as they are.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    speeds = np.round(10000.0 ** (-np.arange(0, d_model, 2) / d_model), 5)
    angles = np.arange(length)[:, None] * speeds
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, d_model)
    return torch.from_numpy(table.astype(np.float32))
