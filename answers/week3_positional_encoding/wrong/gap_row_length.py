"""gap: measures the length of the difference of two rows.

Question: gap
Mistakes: slip
Deserves: 65 %
Fails: gap_worked
Tell: That is the length of a whole row of differences: take the largest single number.
"""


def permutation_gap(attend, x, permutation):
    d = (attend(x)[permutation] - attend(x[permutation])).abs()
    return d.norm(dim=1).max().item()
