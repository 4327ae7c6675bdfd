"""entropy: sums over everything.

Question: entropy
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: One number comes back for all rows together: sum over the last dimension only.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum()
