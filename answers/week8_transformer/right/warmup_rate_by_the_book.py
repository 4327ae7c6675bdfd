"""warmup_rate: the formula as it stands.

Question: warmup_rate
"""


def warmup_rate(step, d_model, warmup):
    return d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5))
