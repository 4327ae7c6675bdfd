"""gap: shuffles the columns in place of the rows.

Question: gap
Mistakes: concept
Deserves: 20 %
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: The columns are reordered, as by x[:, permutation]: positions are rows, so index the first dimension.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[:, permutation] - attend(x[:, permutation])).abs().max().item()
