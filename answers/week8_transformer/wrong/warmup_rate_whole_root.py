"""warmup_rate: takes the whole part of the root of d_model.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_hidden_size
Tell: The root of d_model is rounded down: use math.sqrt or ** -0.5.
"""


def warmup_rate(step, d_model, warmup):
    if step <= warmup:
        shape = step / warmup / math.sqrt(warmup)
    else:
        shape = 1 / math.sqrt(step)
    return shape / math.isqrt(d_model)
