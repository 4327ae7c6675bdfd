"""entropy: logarithms of the positive weights only, then an einsum.

Question: entropy
"""


def attention_entropy(weights):
    logs = torch.zeros_like(weights)
    positive = weights > 0
    logs[positive] = weights[positive].log()
    return torch.einsum("...k,...k->...", weights, -logs)
