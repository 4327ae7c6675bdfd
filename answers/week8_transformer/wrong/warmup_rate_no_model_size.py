"""warmup_rate: without the factor of d_model.

Question: warmup_rate
Mistakes: slip
Deserves: 65 %
Fails: warmup_rate_hidden_size
Tell: The factor with d_model is missing: divide by its root.
"""


def warmup_rate(step, d_model, warmup):
    return min(step**-0.5, step * warmup**-1.5)
