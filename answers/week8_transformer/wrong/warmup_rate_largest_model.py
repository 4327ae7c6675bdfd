"""warmup_rate: takes a d_model above 512 as 512.

Question: warmup_rate
Mistakes: slip
Deserves: 70 %
Fails: warmup_rate_hidden_size
Tell: A d_model above 512 is taken as 512: use the argument.
"""


def warmup_rate(step, d_model, warmup):
    return min(step**-0.5, step * warmup**-1.5) / math.sqrt(min(d_model, 512))
