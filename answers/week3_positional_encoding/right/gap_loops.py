"""gap: builds both sides row by row in loops.

Question: gap
"""


def permutation_gap(attend, x, permutation):
    order = permutation.tolist()
    shuffled = torch.stack([x[i] for i in order])
    out = attend(x)
    out_shuffled = attend(shuffled)
    largest = 0.0
    for row, i in enumerate(order):
        for j in range(out.shape[1]):
            largest = max(largest, abs(out[i, j].item() - out_shuffled[row, j].item()))
    return largest
