"""gap: writes the shuffled rows into the caller's tensor.

Question: gap
Mistakes: slip
Deserves: 80 %
Fails: gap_hidden_type
Tell: x of the caller was overwritten: make a new tensor, x[permutation], and leave x alone.
"""


def permutation_gap(attend, x, permutation):
    expected = attend(x)[permutation]
    x[:] = x[permutation]
    return (expected - attend(x)).abs().max().item()
