"""warmup_rate: gives a tensor.

Question: warmup_rate
Mistakes: slip
Deserves: 80 %
Fails: warmup_rate_rise
Tell: The rate is a tensor or a NumPy number: compute with Python's numbers, or take item() at the end.
"""


def warmup_rate(step, d_model, warmup):
    terms = torch.tensor([step**-0.5, step * warmup**-1.5], dtype=torch.float64)
    return d_model**-0.5 * terms.min()
