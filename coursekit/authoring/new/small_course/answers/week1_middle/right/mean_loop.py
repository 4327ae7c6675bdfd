"""mean: adds them up in a loop.

Question: mean
"""


def mean(values):
    total = 0
    count = 0
    for value in values:
        total += value
        count += 1
    if count == 0:
        raise ValueError("empty")
    return total / count
