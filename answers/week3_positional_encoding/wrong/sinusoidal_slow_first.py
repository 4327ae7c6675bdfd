"""sinusoidal: lets the first pair be the slowest.

Question: sinusoidal
Mistakes: slip
Deserves: 60 %
Fails: sinusoidal_worked
Tell: The hands are in the wrong order: dimensions 0 and 1 should be the fast ones, with speed 1.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model).flip(0)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table
