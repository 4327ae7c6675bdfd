"""rotation: loses the sign of the offset.

Question: rotation
Mistakes: slip
Deserves: 65 %
Fails: rotation_moves, rotation_hidden_rules
Tell: A negative offset has to turn the other way: do not take its absolute value.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = abs(offset) / 10000 ** (2 * i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = -s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
