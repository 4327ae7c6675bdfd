"""scaling: the variance of single products of components, without the sum.

Question: scaling
Mistakes: slip
Deserves: 60 %
Fails: scaling_variance
Tell: A dot product is a sum over the components: sum q * k over the last dimension before you take the
    variance.
"""


def dot_product_variance(q, k, scaled):
    products = q * k
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
