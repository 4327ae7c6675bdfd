"""entropy: sums over everything.

Question: entropy
Mistakes: concept
Deserves: 45 %
Fails: entropy_shape
Tell: One number comes back for all rows together: sum over the last dimension only.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum()
