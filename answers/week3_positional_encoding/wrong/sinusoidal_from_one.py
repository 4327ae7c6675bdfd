"""sinusoidal: counts positions from 1.

Question: sinusoidal
Mistakes: slip
Deserves: 65 %
Fails: sinusoidal_worked
Tell: The positions count from 1: the first one should be 0, so that row 0 is 0, 1, 0, 1.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(1, length + 1).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table
