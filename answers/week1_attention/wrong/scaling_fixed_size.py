"""scaling: divides by 2, the root of the visible test's d_k.

Question: scaling
Fails: scaling_hidden_variance
Tell: The scale is a fixed number: take d_k from the shape of q.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / 2
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
