"""gap: leaves the result a tensor.

Question: gap
Fails: gap_hidden_type
Tell: The value is right but it is still a tensor: call .item() on it.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().max()
