"""warmup_rate: takes d_model to be 64.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_hidden_size
Tell: The size of the model is fixed at 64: use d_model.
"""


def warmup_rate(step, d_model, warmup):
    return 64**-0.5 * min(step**-0.5, step * warmup**-1.5)
