"""sinusoidal: exponentials of logarithms, as in many tutorials, after a check.

Question: sinusoidal
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
