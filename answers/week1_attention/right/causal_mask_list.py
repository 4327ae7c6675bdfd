"""causal_mask: a nested list, made into a tensor.

Question: causal_mask
"""


def causal_mask(length: int) -> torch.Tensor:
    # key j is visible from query i when it is not later
    rows = [[j <= i for j in range(length)] for i in range(length)]
    return torch.tensor(rows, dtype=torch.bool).reshape(length, length)
