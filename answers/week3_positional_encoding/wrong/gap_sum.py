"""gap: adds all differences up.

Question: gap
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: The differences are added up: take max() in place of sum().
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().sum().item()
