"""warmup_rate: divides by the root of the warm-up only.

Question: warmup_rate
Mistakes: slip
Deserves: 60 %
Fails: warmup_rate_rise
Tell: The power of the warm-up is -0.5 here: it must be -1.5.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-0.5)
