"""entropy: a logarithm of 1 where the weight is 0.

Question: entropy
"""


def attention_entropy(weights):
    safe = torch.where(weights > 0, weights, torch.ones_like(weights))
    return -(weights * torch.log(safe)).sum(dim=-1)
