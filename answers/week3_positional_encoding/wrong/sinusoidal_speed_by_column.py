"""sinusoidal: gives each column a speed of its own.

Question: sinusoidal
Mistakes: concept
Deserves: 35 %
Fails: sinusoidal_worked, sinusoidal_rates, sinusoidal_type, sinusoidal_hidden_geometry
Tell: The sine and the cosine of a pair need the same angle: count pairs, not columns.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    table = torch.zeros(length, d_model)
    for pos in range(length):
        for i in range(d_model):
            angle = pos / 10000 ** (i / d_model)
            table[pos, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return table
