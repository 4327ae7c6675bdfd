"""rotation: torch.block_diag over a list of 2 x 2 matrices.

Question: rotation
"""


def rotation_matrix(offset, d_model):
    blocks = []
    for i in range(d_model // 2):
        phi = offset / (10000 ** (2 * i / d_model))
        c, s = math.cos(phi), math.sin(phi)
        blocks.append(torch.tensor([[c, -s], [s, c]]))
    return torch.block_diag(*blocks)
