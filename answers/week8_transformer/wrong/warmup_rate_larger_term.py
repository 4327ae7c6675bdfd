"""warmup_rate: the larger of the two terms.

Question: warmup_rate
Fails: warmup_rate_by_hand, warmup_rate_shape, warmup_rate_hidden_values
Tell: It takes the larger term, so the rate begins high: use min.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)
