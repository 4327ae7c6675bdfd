"""mean: gives whole numbers only.

Question: mean
Fails: mean_by_hand, mean_of_many
Tell: 7 // 2 is 3: divide with /, which keeps the digits after the decimal point.
"""


def mean(values):
    if not values:
        raise ValueError("there is no mean of nothing")
    return sum(values) // len(values)
