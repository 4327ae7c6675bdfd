"""gap: puts the first output into the inverse order.

Question: gap
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: argsort gives the inverse permutation: use permutation itself on both sides.
"""


def permutation_gap(attend, x, permutation):
    back = torch.argsort(permutation)
    return (attend(x)[back] - attend(x[permutation])).abs().max().item()
