"""sinusoidal: turns complex numbers and reads off imaginary and real parts.

Question: sinusoidal
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2:
        raise ValueError("odd d_model")
    exponent = torch.arange(d_model // 2, dtype=torch.float64) * 2 / d_model
    angle = torch.arange(length, dtype=torch.float64).unsqueeze(-1) * torch.pow(10000.0, -exponent)
    hands = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(hands).flip(-1).flatten(1).float()
