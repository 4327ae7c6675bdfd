"""scaling: the standard deviation instead of the variance.

Question: scaling
Mistakes: slip
Deserves: 75 %
Fails: scaling_variance
Tell: That is the standard deviation, and its square is the variance.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.std().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
