"""rotation: takes sines and cosines from a table of 64 rows.

Question: rotation
Mistakes: slip
Deserves: 80 %
Fails: rotation_hidden_rules
Tell: The table has a fixed number of rows, so larger offsets raise an error: make it abs(offset) + 1 rows
    long.
"""


def rotation_matrix(offset, d_model):
    row = sinusoidal_encoding(64, d_model)[abs(offset)]
    sign = -1.0 if offset < 0 else 1.0
    R = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        s, c = sign * row[i], row[i + 1]
        R[i : i + 2, i : i + 2] = torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
    return R
