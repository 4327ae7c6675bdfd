"""sinusoidal: puts the cosine on the even columns.

Question: sinusoidal
Mistakes: slip
Deserves: 65 %
Fails: sinusoidal_worked
Tell: Sine and cosine have changed places: column 0 should be the sine.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 1::2] = torch.sin(position * speed)
    table[:, 0::2] = torch.cos(position * speed)
    return table
