"""rotation: returns float64.

Question: rotation
Mistakes: slip
Deserves: 85 %
Fails: rotation_hidden_orthogonal
Tell: The matrix is float64 and will not multiply a float32 table: make it float32.
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(d_model // 2):
        angle = offset / 10000 ** (2 * i / d_model)
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i, 2 * i] = c
        R[2 * i, 2 * i + 1] = -s
        R[2 * i + 1, 2 * i] = s
        R[2 * i + 1, 2 * i + 1] = c
    return R
