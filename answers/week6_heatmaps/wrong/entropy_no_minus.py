"""entropy: forgets the minus.

Question: entropy
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: The entropies are negative: put a minus before the sum, since logarithms of weights are below 0.
"""


def attention_entropy(weights):
    return torch.xlogy(weights, weights).sum(dim=-1)
