"""gap: copies the output into a tensor with the shape of x.

Question: gap
Mistakes: slip
Deserves: 80 %
Fails: gap_hidden_values
Tell: The output may have another number of columns than x: take its shape from the output, not from x.
"""


def permutation_gap(attend, x, permutation):
    shuffled = torch.zeros_like(x)
    output = attend(x)
    for i, row in enumerate(permutation.tolist()):
        shuffled[i] = output[row]
    return float((attend(x[permutation]) - shuffled).abs().max())
