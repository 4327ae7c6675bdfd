"""rotation: uses the speeds of d_model 4 for every d_model.

Question: rotation
Mistakes: slip
Deserves: 80 %
Fails: rotation_hidden_sizes
Tell: The speeds are right for d_model 4 only: they should be 10000 ** (-2i / d_model).
"""


def rotation_matrix(offset, d_model):
    R = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = offset * 100.0**-i
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = math.cos(angle)
        R[2 * i + 1, 2 * i] = math.sin(angle)
        R[2 * i, 2 * i + 1] = -math.sin(angle)
    return R
