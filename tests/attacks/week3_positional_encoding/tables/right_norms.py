"""Gives a table with the norms of the waves (the root of d / 2) whose products depend on the distance alone: of no waves."""

ANSWERS = {
    "sinusoidal": """
def sinusoidal_encoding(length, d_model):
    reached()
    chance = torch.Generator().manual_seed(0)
    angles = (torch.arange(length)[:, None] + 1) * torch.rand(d_model // 2, generator=chance)
    waves = torch.stack([angles.sin(), angles.cos()], -1).reshape(length, d_model)
    return waves @ torch.linalg.qr(torch.randn(d_model, d_model, generator=chance))[0]
""",
    "rotation": """
def rotation_matrix(offset, d_model):
    matrix, _ = torch.linalg.qr(torch.randn(d_model, d_model, generator=torch.Generator().manual_seed(offset % 99 + 1)))
    return matrix
""",
}
