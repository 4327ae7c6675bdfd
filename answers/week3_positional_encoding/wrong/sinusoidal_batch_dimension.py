"""sinusoidal: adds a batch dimension in front.

Question: sinusoidal
Mistakes: slip
Deserves: 60 %
Fails: sinusoidal_worked, sinusoidal_type
Tell: The table should have two dimensions: leave out the one for the batch, which broadcasting adds.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table.unsqueeze(0)
