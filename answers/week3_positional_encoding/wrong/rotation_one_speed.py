"""rotation: turns all pairs by the same angle.

Question: rotation
Mistakes: concept
Deserves: 35 %
Fails: rotation_worked, rotation_moves, rotation_hidden_sizes
Tell: Every pair should turn by its own angle: multiply the offset by the speed of the pair.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = -s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
