"""gap: takes the mean of the differences.

Question: gap
Mistakes: slip
Deserves: 60 %
Fails: gap_worked
Tell: This is a mean, which hides one large difference among many small ones: the largest is asked for.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().mean().item()
