"""rotation: takes the angle for degrees.

Question: rotation
Mistakes: slip
Deserves: 60 %
Fails: rotation_worked, rotation_moves
Tell: The angles are taken for degrees, as by math.radians: they are in radians already.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = math.radians(offset / 10000 ** (2 * i / d_model))
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = -s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
