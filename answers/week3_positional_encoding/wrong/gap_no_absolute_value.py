"""gap: takes the largest signed difference.

Question: gap
Mistakes: slip
Deserves: 70 %
Fails: gap_hidden_values
Tell: Negative differences are lost: take absolute values before the largest.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).max().item()
