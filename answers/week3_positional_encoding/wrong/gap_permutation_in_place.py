"""gap: sorts the permutation itself.

Question: gap
Mistakes: slip
Deserves: 75 %
Fails: gap_hidden_type
Tell: The permutation is changed: make a new tensor of indices, and leave the one that was handed in as it is.
"""


def permutation_gap(attend, x, permutation):
    after, before = attend(x)[permutation], attend(x[permutation])
    order = permutation.sort().indices
    permutation.copy_(order)
    return (after - before)[order].abs().max().item()
