"""entropy: squeezes the result.

Question: entropy
Mistakes: slip
Deserves: 60 %
Fails: entropy_shape
Tell: Dimensions of length 1 are lost, as squeeze() does: only the last dimension should go.
"""


def attention_entropy(weights):
    safe = torch.where(weights > 0, weights, torch.ones_like(weights))
    return -torch.einsum("...k,...k->...", weights, safe.log()).squeeze()
