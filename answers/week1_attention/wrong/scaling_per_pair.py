"""scaling: gives the squared deviation of each pair instead of their mean.

Question: scaling
Mistakes: slip
Deserves: 55 %
Fails: scaling_variance, scaling_scaled
Tell: dot_product_variance returns a tensor with a number per pair: take the mean of the squared deviations, and item().
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return (products - products.mean()) ** 2


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
