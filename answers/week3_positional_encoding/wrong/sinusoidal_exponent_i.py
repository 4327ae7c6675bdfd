"""sinusoidal: uses i / d_model as the exponent.

Question: sinusoidal
Mistakes: slip
Deserves: 60 %
Fails: sinusoidal_worked, sinusoidal_rates
Tell: The exponent should be 2i / d_model, twice what it is here.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(d_model // 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table
