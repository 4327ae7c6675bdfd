"""rotation: always has the two pairs of the worked example.

Question: rotation
Mistakes: slip
Deserves: 60 %
Fails: rotation_hidden_sizes, rotation_hidden_orthogonal
Tell: The sizes of the worked example are built in: take the number of pairs from d_model.
"""


def rotation_matrix(offset, d_model):
    a, b = offset, offset / 100
    return torch.tensor(
        [
            [math.cos(a), -math.sin(a), 0.0, 0.0],
            [math.sin(a), math.cos(a), 0.0, 0.0],
            [0.0, 0.0, math.cos(b), -math.sin(b)],
            [0.0, 0.0, math.sin(b), math.cos(b)],
        ]
    )
