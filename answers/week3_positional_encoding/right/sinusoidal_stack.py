"""sinusoidal: stacks sine and cosine in a last dimension and flattens it.

Question: sinusoidal
"""


def sinusoidal_encoding(length, d_model):
    if d_model & 1:
        raise ValueError("each sine needs its cosine: d_model must be even")
    w = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    a = torch.outer(torch.arange(length).float(), w)
    return torch.stack((a.sin(), a.cos()), dim=-1).reshape(length, d_model)
