"""gap: adds all differences up.

Question: gap
Mistakes: slip
Deserves: 60 %
Fails: gap_worked
Tell: The differences are added up: the largest of them is asked for.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().sum().item()
