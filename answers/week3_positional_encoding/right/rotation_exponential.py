"""rotation: the matrix exponential of the generator of the rotation.

Question: rotation
"""


def rotation_matrix(offset, d_model):
    generator = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        speed = 10000.0 ** (-i / d_model)
        generator[i + 1, i] = speed
        generator[i, i + 1] = -speed
    return torch.linalg.matrix_exp(offset * generator).float()
