"""median: takes the middle of the unsorted list.

Question: median
Fails: median_odd, median_even, median_leaves_list, median_of_many
Tell: The middle of the list is not the middle of its values: sort them first.
"""


def median(values):
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2
