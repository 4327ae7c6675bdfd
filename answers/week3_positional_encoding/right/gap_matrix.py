"""gap: shuffles by a permutation matrix.

Question: gap
"""


def permutation_gap(attend, x, permutation):
    P = torch.eye(len(x))[permutation]
    return float(torch.linalg.vector_norm(P @ attend(x) - attend(P @ x), ord=float("inf")))
