"""sinusoidal: keeps the table in float64.

Question: sinusoidal
Mistakes: slip
Deserves: 85 %
Fails: sinusoidal_type
Tell: The numbers are right but the table is float64: give it dtype torch.float32.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model, dtype=torch.float64)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table
