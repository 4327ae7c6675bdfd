"""warmup_rate: computed through logarithms.

Question: warmup_rate
"""


def warmup_rate(step, d_model, warmup):
    rising = math.log(step) - 1.5 * math.log(warmup)
    falling = -0.5 * math.log(step)
    return math.exp(min(rising, falling) - 0.5 * math.log(d_model))
