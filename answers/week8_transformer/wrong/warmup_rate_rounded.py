"""warmup_rate: rounds to six places.

Question: warmup_rate
Mistakes: slip
Deserves: 75 %
Fails: warmup_rate_rise
Tell: Rates are rounded, so small ones are wrong or 0: return the number as it is.
"""


def warmup_rate(step, d_model, warmup):
    return round(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5), 6)
