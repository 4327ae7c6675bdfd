"""scaling: the entropy without its minus sign.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_entropy
Tell: The entropy is negative: logarithms of weights are negative, so put a minus sign in front of the sum.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return torch.xlogy(weights, weights).sum(dim=-1)
