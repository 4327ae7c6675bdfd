"""rotation: uses i / d_model as the exponent.

Question: rotation
Mistakes: slip
Deserves: 60 %
Fails: rotation_worked, rotation_moves
Tell: The speeds do not fit those of the table: the exponent should be 2i / d_model.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / 10000 ** (i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = -s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
