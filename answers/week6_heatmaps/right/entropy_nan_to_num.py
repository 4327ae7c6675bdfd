"""entropy: turns the nan of 0 times -inf into 0.

Question: entropy
"""


def attention_entropy(weights):
    terms = weights * torch.log(weights)
    terms = torch.nan_to_num(terms, nan=0.0)
    return terms.sum(dim=-1).neg()
