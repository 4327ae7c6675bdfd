"""gap: rounds the gap to three decimals.

Question: gap
Mistakes: slip
Deserves: 80 %
Fails: gap_hidden_values
Tell: The gap is rounded, so a small one becomes 0: return it as it is.
"""


def permutation_gap(attend, x, permutation):
    first = attend(x)[permutation]
    second = attend(x[permutation])
    return round((first - second).abs().max().item(), 3)
