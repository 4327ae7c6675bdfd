"""entropy: clamps inside the logarithm.

Question: entropy
"""


def attention_entropy(weights):
    logs = weights.clamp(min=1e-30).log()
    return -torch.einsum("...k,...k->...", weights, logs)
