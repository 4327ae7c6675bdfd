"""gap: puts the first output into the inverse order.

Question: gap
Mistakes: slip
Deserves: 65 %
Fails: gap_worked
Tell: The rows of one side are in another order than `permutation` asks for: argsort gives the inverse, and applying
    `permutation` a second time rarely undoes the first.
"""


def permutation_gap(attend, x, permutation):
    back = torch.argsort(permutation)
    return (attend(x)[back] - attend(x[permutation])).abs().max().item()
