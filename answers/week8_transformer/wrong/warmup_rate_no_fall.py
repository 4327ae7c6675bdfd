"""warmup_rate: never falls after a warm-up of one step.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_fall
Tell: After a warm-up of one step the rate stays the same: it should fall as 1 / sqrt(step) then, too.
"""


def warmup_rate(step, d_model, warmup):
    if warmup <= 1:
        return d_model**-0.5
    return (d_model * max(step, warmup)) ** -0.5 * min(1, step / warmup)
