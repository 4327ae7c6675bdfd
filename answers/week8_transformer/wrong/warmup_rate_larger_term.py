"""warmup_rate: the larger of the two terms.

Question: warmup_rate
Mistakes: concept
Deserves: 40 %
Fails: warmup_rate_rise, warmup_rate_fall
Tell: It takes the larger term, so the rate begins high: use min.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)
