"""gap: puts the first output into the inverse order.

Question: gap
Mistakes: slip
Deserves: 65 %
Fails: gap_worked
Tell: argsort gives the inverse permutation: use permutation itself on both sides.
"""


def permutation_gap(attend, x, permutation):
    back = torch.argsort(permutation)
    return (attend(x)[back] - attend(x[permutation])).abs().max().item()
