"""gap: compares in numpy.

Question: gap
"""


def permutation_gap(attend, x, permutation):
    first = attend(x).detach().cpu().numpy()
    second = attend(x[permutation]).detach().cpu().numpy()
    return float(np.abs(first[permutation.cpu().numpy()] - second).max())
