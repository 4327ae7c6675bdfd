"""rotation: fits the matrix to the first rows of the table.

Question: rotation
Mistakes: concept
Deserves: 50 %
Fails: rotation_hidden_sizes, rotation_hidden_orthogonal
Tell: For large d_model the matrix is not a rotation, as after a fit to rows of a table: write the blocks down.
"""


def rotation_matrix(offset, d_model):
    n = 40
    pos = torch.arange(n + abs(offset)).float()[:, None]
    angle = pos * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    here, there = (table[:n], table[offset : offset + n]) if offset >= 0 else (table[-offset:], table[:n])
    return torch.linalg.lstsq(here, there).solution
