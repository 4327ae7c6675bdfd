"""gap: compares the first row alone.

Question: gap
Mistakes: slip
Deserves: 65 %
Fails: gap_hidden_values
Tell: Only one position is compared: the largest difference should be taken over all rows and columns.
"""


def permutation_gap(attend, x, permutation):
    difference = attend(x)[permutation][0] - attend(x[permutation])[0]
    return difference.abs().max().item()
