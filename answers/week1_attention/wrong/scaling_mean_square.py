"""scaling: the mean of the squares, as if the mean were 0.

Question: scaling
Mistakes: slip
Deserves: 70 %
Fails: scaling_variance
Tell: The mean of the squares is the variance only when the mean is 0: subtract the mean of the products
    first.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return (products**2).mean().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
