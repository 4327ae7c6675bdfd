"""entropy: takes the logarithm of 0.

Question: entropy
Mistakes: slip
Deserves: 75 %
Fails: entropy_hidden_zero
Tell: A weight of 0 gives 0 times -inf, which is nan: use torch.xlogy or keep the logarithm finite there.
"""


def attention_entropy(weights):
    return -(weights * torch.log(weights)).sum(dim=-1)
