"""sinusoidal: multiplies the even numbers by 2 once more.

Question: sinusoidal
Mistakes: slip
Deserves: 60 %
Fails: sinusoidal_worked, sinusoidal_rates
Tell: The exponents are twice what they should be: the numbers 0, 2, 4, ... are already 2i.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-2 * torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table
