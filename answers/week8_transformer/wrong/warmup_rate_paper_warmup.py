"""warmup_rate: rises over 4000 steps if the warm-up has 1000 or more.

Question: warmup_rate
Mistakes: slip
Deserves: 65 %
Fails: warmup_rate_rise
Tell: Long warm-ups rise as if they had 4000 steps: use the argument.
"""


def warmup_rate(step, d_model, warmup):
    rise = step * (4000 if warmup >= 1000 else warmup) ** -1.5
    return d_model**-0.5 * min(step**-0.5, rise)
