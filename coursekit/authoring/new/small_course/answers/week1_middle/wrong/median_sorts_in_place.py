"""median: sorts the list that it is given.

Question: median
Fails: median_leaves_list
Tell: values.sort() changes the caller's list: use sorted(values), which makes a new one.
"""


def median(values):
    values.sort()
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2
