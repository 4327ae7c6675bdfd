"""entropy: averages over the keys.

Question: entropy
Mistakes: slip
Deserves: 65 %
Fails: entropy_values
Tell: The mean over the keys is too small by their number: the entropy should be a sum.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights).mean(dim=-1)
