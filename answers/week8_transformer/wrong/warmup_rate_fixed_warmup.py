"""warmup_rate: always warms up for 4000 steps, as in the paper.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_rise
Tell: The warm-up always takes 4000 steps: use the argument.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * 4000**-1.5)
