"""entropy: averages over the keys.

Question: entropy
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: The mean over the keys is too small by their number: entropy is a sum.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).mean(dim=-1)
