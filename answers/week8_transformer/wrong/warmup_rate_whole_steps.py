"""warmup_rate: the rate rises in whole parts of the warm-up.

Question: warmup_rate
Mistakes: slip
Deserves: 65 %
Fails: warmup_rate_rise
Tell: Before the warm-up's last step the rate is 0, as it is if step / warmup is rounded down, for example by //.
"""


def warmup_rate(step, d_model, warmup):
    if step < warmup:
        return (d_model * warmup) ** -0.5 * (step // warmup)
    return (d_model * step) ** -0.5
