"""gap: leaves the result a tensor.

Question: gap
Mistakes: slip
Deserves: 85 %
Fails: gap_hidden_type
Tell: The value is right but it is still a tensor: call .item() on it.
"""


def permutation_gap(attend, x, permutation):
    return (attend(x)[permutation] - attend(x[permutation])).abs().max()
