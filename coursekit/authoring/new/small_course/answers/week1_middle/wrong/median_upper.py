"""median: takes the upper one of two values in the middle.

Question: median
Fails: median_even, median_of_many
Tell: An even number of values has two in the middle: give their mean.
"""


def median(values):
    return sorted(values)[len(values) // 2]
