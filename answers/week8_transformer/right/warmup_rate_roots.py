"""warmup_rate: square roots in place of powers.

Question: warmup_rate
"""


def warmup_rate(step, d_model, warmup):
    rising = step / (warmup * math.sqrt(warmup))
    falling = 1 / math.sqrt(step)
    return min(rising, falling) / math.sqrt(d_model)
