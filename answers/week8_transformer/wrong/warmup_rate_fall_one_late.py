"""warmup_rate: falls as 1 / sqrt(step + 1).

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_fall
Tell: After the warm-up the rate is that of the next step: take the root of step itself.
"""


def warmup_rate(step, d_model, warmup):
    if step <= warmup:
        shape = step / warmup / math.sqrt(warmup)
    else:
        shape = 1 / math.sqrt(step + 1)
    return shape / math.sqrt(d_model)
