"""sinusoidal: repeats the first 64 rows.

Question: sinusoidal
Mistakes: slip
Deserves: 75 %
Fails: sinusoidal_rates, sinusoidal_hidden_geometry
Tell: The rows repeat, but the waves together do not: each row should follow the formula with its own position.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    table = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(d_model // 2):
            angle = (p % 64) / 10000 ** (2 * i / d_model)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table
