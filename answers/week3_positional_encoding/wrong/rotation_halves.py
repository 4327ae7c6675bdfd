"""rotation: is made for a table with all sines in front.

Question: rotation
Mistakes: slip
Deserves: 50 %
Fails: rotation_worked, rotation_moves
Tell: The blocks should be on the diagonal, at rows and columns 2i and 2i + 1: sines and cosines take turns in the
    table.
"""


def rotation_matrix(offset, d_model):
    angle = offset * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    C, S = torch.diag(torch.cos(angle)), torch.diag(torch.sin(angle))
    return torch.cat([torch.cat([C, -S], dim=1), torch.cat([S, C], dim=1)], dim=0)
