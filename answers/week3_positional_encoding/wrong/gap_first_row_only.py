"""gap: compares the first row alone.

Question: gap
Fails: gap_blind, gap_hidden_values, gap_hidden_type
Tell: Only one position is compared: the largest difference runs over all rows and columns.
"""


def permutation_gap(attend, x, permutation):
    difference = attend(x)[permutation][0] - attend(x[permutation])[0]
    return difference.abs().max().item()
