"""scaling: divides by 2, the root of the visible test's d_k.

Question: scaling
Mistakes: slip
Deserves: 75 %
Fails: scaling_scaled
Tell: With scaled=True the variance falls by the same factor for every d_k: take d_k from the shape of q.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / 2
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
