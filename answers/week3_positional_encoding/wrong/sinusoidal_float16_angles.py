"""sinusoidal: computes the angles in float16.

Question: sinusoidal
Mistakes: slip
Deserves: 70 %
Fails: sinusoidal_rates, sinusoidal_hidden_geometry
Tell: Angles in float16 are too coarse for long tables: compute them in float32 or float64.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin((position.half() * speed.half()).float())
    table[:, 1::2] = torch.cos((position.half() * speed.half()).float())
    return table
