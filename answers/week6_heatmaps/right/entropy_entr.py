"""entropy: the ready-made torch.special.entr.

Question: entropy
"""


def attention_entropy(weights):
    return torch.special.entr(weights).sum(dim=-1)
