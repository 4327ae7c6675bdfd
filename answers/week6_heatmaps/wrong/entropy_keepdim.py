"""entropy: keeps the last dimension.

Question: entropy
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: The result still has a last dimension of length 1: leave keepdim out.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1, keepdim=True)
