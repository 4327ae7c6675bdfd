"""entropy: sums over dimension 1, whatever it is.

Question: entropy
Mistakes: slip
Deserves: 60 %
Fails: entropy_shape
Tell: Dimension 1 is the keys only for a matrix: name the keys from the end, dim=-1.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=min(1, weights.dim() - 1))
