"""gap: reorders with index_select and makes a float at the end.

Question: gap
"""


def permutation_gap(attend, x, permutation):
    shuffled = torch.index_select(x, 0, permutation)
    out = torch.index_select(attend(x), 0, permutation)
    return float((out - attend(shuffled)).abs().amax())
