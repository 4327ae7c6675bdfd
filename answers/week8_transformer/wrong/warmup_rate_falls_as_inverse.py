"""warmup_rate: falls with the step, not with its root.

Question: warmup_rate
Mistakes: concept
Deserves: 45 %
Fails: warmup_rate_fall
Tell: It falls too fast: after the warm-up the rate should go with 1 over the root of the step.
"""


def warmup_rate(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    return peak * min(step / warmup, warmup / step)
