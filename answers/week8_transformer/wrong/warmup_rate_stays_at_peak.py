"""warmup_rate: keeps the peak after the warm-up.

Question: warmup_rate
Mistakes: concept
Deserves: 45 %
Fails: warmup_rate_fall
Tell: After the warm-up the rate stays the same: let it fall as 1 / sqrt(step).
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * warmup**-0.5 * min(1.0, step / warmup)
