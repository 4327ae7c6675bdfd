"""warmup_rate: multiplies by the root of d_model.

Question: warmup_rate
Mistakes: slip
Deserves: 60 %
Fails: warmup_rate_hidden_size
Tell: It multiplies by the root of d_model: the power should be -0.5, so divide.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**0.5 * min(step**-0.5, step * warmup**-1.5)
