"""warmup_rate: typed, with a numpy minimum.

Question: warmup_rate
"""


def warmup_rate(step: int, d_model: int, warmup: int) -> float:
    """Noam learning-rate schedule."""
    arg1 = float(step) ** -0.5
    arg2 = step * float(warmup) ** -1.5
    return float(d_model**-0.5 * np.minimum(arg1, arg2))
