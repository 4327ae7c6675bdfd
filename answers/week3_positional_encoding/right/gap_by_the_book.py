"""gap: two orders, one difference, as in the hints.

Question: gap
"""


def permutation_gap(attend, x, permutation):
    after = attend(x)[permutation]
    before = attend(x[permutation])
    return torch.max(torch.abs(after - before)).item()
