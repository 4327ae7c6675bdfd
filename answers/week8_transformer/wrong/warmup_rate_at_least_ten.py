"""warmup_rate: has a warm-up of at least ten steps.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_rise
Tell: Short warm-ups are made longer: use the argument as it is.
"""


def warmup_rate(step, d_model, warmup):
    warmup = max(warmup, 10)
    if step <= warmup:
        shape = step / warmup / math.sqrt(warmup)
    else:
        shape = 1 / math.sqrt(step)
    return shape / math.sqrt(d_model)
