"""rotation: fills four strided diagonals at once.

Question: rotation
"""


def rotation_matrix(offset, d_model):
    angles = offset * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    even = torch.arange(0, d_model, 2)
    odd = even + 1
    R = torch.zeros(d_model, d_model)
    R[even, even] = torch.cos(angles)
    R[odd, odd] = torch.cos(angles)
    R[odd, even] = torch.sin(angles)
    R[even, odd] = -torch.sin(angles)
    return R
