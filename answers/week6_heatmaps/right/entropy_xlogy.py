"""entropy: xlogy, which knows that 0 ln 0 is 0.

Question: entropy
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum(-1)
