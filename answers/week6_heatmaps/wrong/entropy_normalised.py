"""entropy: divides by the logarithm of the number of keys.

Question: entropy
Mistakes: slip
Deserves: 70 %
Fails: entropy_values
Tell: The result was divided by ln n, so that 1 means even: the docstring asks for nats.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1) / math.log(weights.shape[-1])
