"""rotation: has no minus at all.

Question: rotation
Mistakes: concept
Deserves: 30 %
Fails: rotation_worked, rotation_moves, rotation_hidden_rules, rotation_hidden_orthogonal
Tell: One of the two sines of a block should have a minus: without it lengths do not stay as they are.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset / 10000 ** (2 * i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
