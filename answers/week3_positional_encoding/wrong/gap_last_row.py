"""gap: leaves the last row out when there are seven or more.

Question: gap
Mistakes: slip
Deserves: 80 %
Fails: gap_hidden_values
Tell: The last row is not compared if there are many: the difference should run over every row and column.
"""


def permutation_gap(attend, x, permutation):
    worst = 0.0
    first, second = attend(x), attend(x[permutation])
    for i in range(min(len(permutation), max(6, len(permutation) - 1))):
        for a, b in zip(first[permutation[i]].tolist(), second[i].tolist()):
            worst = max(worst, abs(a - b))
    return worst
