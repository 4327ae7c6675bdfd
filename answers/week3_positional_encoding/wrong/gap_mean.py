"""gap: takes the mean of the differences.

Question: gap
Mistakes: slip
Deserves: 60 %
Fails: gap_worked
Tell: The gap is the largest difference: a mean hides one position that is wrong among many that are right.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().mean().item()
