"""median: averages the two values that are equally far from either end.

Question: median
"""


def median(values):
    ordered = sorted(values)
    last = len(ordered) - 1
    return (ordered[last // 2] + ordered[last - last // 2]) / 2
