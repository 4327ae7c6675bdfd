"""rotation: a Kronecker product in numpy.

Question: rotation
"""


def rotation_matrix(offset, d_model):
    phi = offset / np.power(10000.0, np.arange(0, d_model, 2) / d_model)
    R = np.kron(np.diag(np.cos(phi)), np.eye(2)) + np.kron(np.diag(np.sin(phi)), [[0, -1], [1, 0]])
    return torch.from_numpy(R).to(torch.float32)
