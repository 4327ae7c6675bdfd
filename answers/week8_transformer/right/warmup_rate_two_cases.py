"""warmup_rate: an if for the two phases.

Question: warmup_rate
"""


def warmup_rate(step, d_model, warmup):
    peak = 1 / math.sqrt(d_model * warmup)
    if step < warmup:
        return peak * step / warmup
    return peak * math.sqrt(warmup / step)
