"""warmup_rate: falls with the step, not with its root.

Question: warmup_rate
Fails: warmup_rate_by_hand, warmup_rate_shape, warmup_rate_hidden_values
Tell: It falls too fast: after the warm-up the rate goes with 1 over the root of the step.
"""


def warmup_rate(step, d_model, warmup):
    peak = (d_model * warmup) ** -0.5
    return peak * min(step / warmup, warmup / step)
