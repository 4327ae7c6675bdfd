"""warmup_rate: adds 1 to the step.

Question: warmup_rate
Mistakes: slip
Deserves: 60 %
Fails: warmup_rate_rise
Tell: The step is counted from 1 already: do not add 1 to it.
"""


def warmup_rate(step, d_model, warmup):
    return d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warmup**-1.5)
