"""entropy: keeps the last dimension where there is one query.

Question: entropy
Mistakes: slip
Deserves: 60 %
Fails: entropy_shape
Tell: With a single query the result has a dimension too many: weights (..., 1, key) give (..., 1).
"""


def attention_entropy(weights):
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    if weights.dim() > 1 and weights.shape[-2] == 1:
        return entropy.unsqueeze(-1)
    return entropy
