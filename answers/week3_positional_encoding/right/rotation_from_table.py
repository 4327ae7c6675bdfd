"""rotation: reads sine and cosine of the angles off the table itself.

Question: rotation
"""


def rotation_matrix(offset, d_model):
    row = sinusoidal_encoding(abs(offset) + 1, d_model)[abs(offset)]
    sine, cosine = row[0::2], row[1::2]
    if offset < 0:
        sine = -sine
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cosine[i], -sine[i]], [sine[i], cosine[i]]])
    return R
