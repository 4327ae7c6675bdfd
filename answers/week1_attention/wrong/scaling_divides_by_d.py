"""scaling: divides by d_k instead of its square root.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_scaled
Tell: With scaled=True the variance falls by the square of d_k, as it does if the dot products are divided by d_k:
    divide them by math.sqrt(d_k).
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / q.shape[-1]
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
