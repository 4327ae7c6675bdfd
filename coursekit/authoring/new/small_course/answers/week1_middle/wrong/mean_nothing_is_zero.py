"""mean: says that the mean of nothing is 0.

Question: mean
Fails: mean_of_nothing
Tell: No number is the mean of an empty list: raise a ValueError.
"""


def mean(values):
    return sum(values) / max(len(values), 1)
