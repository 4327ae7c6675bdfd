"""gap: compares the outputs as they come.

Question: gap
Mistakes: concept
Deserves: 25 %
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: The output for x is still in the old order: index it with the permutation before you subtract.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x) - attend(x[permutation])).abs().max().item()
