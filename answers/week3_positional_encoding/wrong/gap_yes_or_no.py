"""gap: answers whether the two sides are equal.

Question: gap
Mistakes: concept
Deserves: 15 %
Fails: gap_worked, gap_blind, gap_hidden_values, gap_hidden_type
Tell: The docstring asks for the size of the difference, not for True or False.
"""


def permutation_gap(attend, x, permutation):
    return torch.allclose(attend(x)[permutation], attend(x[permutation]), atol=1e-5)
