"""warmup_rate: divides by warmup - 1.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_rise
Tell: It divides by warmup - 1, which is 0 for a warm-up of one step: the line should begin at step 0.
"""


def warmup_rate(step, d_model, warmup):
    if step <= warmup:
        first, last = warmup**-1.5, warmup**-0.5
        shape = first + (last - first) * (step - 1) / (warmup - 1)
    else:
        shape = 1 / math.sqrt(step)
    return shape / math.sqrt(d_model)
