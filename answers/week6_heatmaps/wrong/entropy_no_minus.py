"""entropy: forgets the minus.

Question: entropy
Mistakes: slip
Deserves: 70 %
Fails: entropy_values
Tell: The entropies are negative: put a minus before the sum, since logarithms of weights are below 0.
"""


def attention_entropy(weights):
    return torch.xlogy(weights, weights).sum(dim=-1)
