"""scaling: the variance is a tensor with one number.

Question: scaling
Mistakes: slip
Deserves: 85 %
Fails: scaling_variance
Tell: The variance is a tensor, and the docstring asks for a float: call item().
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
