"""sinusoidal: puts all sines first and all cosines behind them.

Question: sinusoidal
Mistakes: slip
Deserves: 60 %
Fails: sinusoidal_worked
Tell: Sines and cosines stand in two halves: they should take turns, sine on even columns and cosine on odd ones.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    position = torch.arange(length).double()[:, None]
    speed = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    return torch.cat([torch.sin(position * speed), torch.cos(position * speed)], dim=-1).float()
