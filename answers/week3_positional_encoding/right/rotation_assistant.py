"""rotation: the way a chat assistant writes it: type hints, helper, comments.

Question: rotation
"""


def _rotation_block(angle: float) -> list[list[float]]:
    return [
        [math.cos(angle), -math.sin(angle)],
        [math.sin(angle), math.cos(angle)],
    ]


def rotation_matrix(offset: int, d_model: int) -> torch.Tensor:
    """Return R such that PE[pos] @ R == PE[pos + offset]."""
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    R = torch.eye(d_model, dtype=torch.float32)
    # Place one 2x2 rotation block per frequency on the diagonal
    for pair_index in range(d_model // 2):
        omega = 1.0 / (10000.0 ** (2.0 * pair_index / d_model))
        start = 2 * pair_index
        R[start : start + 2, start : start + 2] = torch.tensor(_rotation_block(offset * omega))
    return R
