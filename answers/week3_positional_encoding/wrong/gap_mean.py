"""gap: takes the mean of the differences.

Question: gap
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: The gap is the largest difference: a mean hides one position that is wrong among many that are right.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().mean().item()
