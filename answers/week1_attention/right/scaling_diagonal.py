"""scaling: the diagonal of all products, and torch's own entropy terms.

Question: scaling
"""


def dot_product_variance(q, k, scaled):
    if scaled:
        q = q / math.sqrt(q.shape[1])
    return torch.diagonal(q @ k.T).var().item()


def softmax_entropy(weights):
    return torch.special.entr(weights).sum(dim=-1)
