"""entropy: keeps the last dimension.

Question: entropy
Mistakes: slip
Deserves: 75 %
Fails: entropy_shape
Tell: The result still has a last dimension of length 1: leave keepdim out.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1, keepdim=True)
