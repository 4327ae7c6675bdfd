"""rotation: takes the offset modulo 512.

Question: rotation
Mistakes: slip
Deserves: 80 %
Fails: rotation_hidden_rules
Tell: The offset is cut to below 512: the waves do not repeat there, so use the offset as it is.
"""


def rotation_matrix(offset, d_model):
    steps = offset % 512 if offset >= 0 else -(-offset % 512)
    angles = steps * 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    blocks = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in angles]
    return torch.block_diag(*blocks).float()
