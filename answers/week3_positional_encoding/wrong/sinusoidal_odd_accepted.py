"""sinusoidal: leaves out the last cosine when d_model is odd.

Question: sinusoidal
Mistakes: slip
Deserves: 85 %
Fails: sinusoidal_odd
Tell: An odd d_model is accepted: the docstring asks for a ValueError.
"""


def sinusoidal_encoding(length, d_model):
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)[:, : d_model // 2]
    return table
