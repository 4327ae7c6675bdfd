"""mean: divides the sum by the number of values.

Question: mean
"""


def mean(values):
    if not values:
        raise ValueError("there is no mean of nothing")
    return sum(values) / len(values)
