"""entropy: adds a small number that is not small enough.

Question: entropy
Mistakes: slip
Deserves: 80 %
Fails: entropy_hidden_dtype
Tell: The number added inside the logarithm counts once for each key and shows when there are hundreds: make
    it far smaller, or use xlogy.
"""


def attention_entropy(weights):
    return -(weights * torch.log(weights + 1e-5)).sum(dim=-1)
