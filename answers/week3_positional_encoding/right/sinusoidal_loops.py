"""sinusoidal: a double loop with math.sin and math.cos.

Question: sinusoidal
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2 == 1:
        raise ValueError("d_model is odd: " + str(d_model))
    table = []
    for pos in range(length):
        row = []
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            row.append(math.sin(angle))
            row.append(math.cos(angle))
        table.append(row)
    return torch.tensor(table)
