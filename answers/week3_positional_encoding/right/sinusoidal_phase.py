"""sinusoidal: takes the cosine as a sine that is a quarter turn ahead.

Question: sinusoidal
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2 != 0:
        raise ValueError(f"d_model={d_model} is not even")
    column = torch.arange(d_model)
    speed = 1.0 / 10000.0 ** ((column - column % 2).double() / d_model)
    quarter = (column % 2) * (math.pi / 2)
    return torch.sin(torch.arange(length).double()[:, None] * speed + quarter).to(torch.float32)
