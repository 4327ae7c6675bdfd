"""scaling: divides by d_k instead of its square root.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_scaled
Tell: The dot products are divided by d_k, so their variance falls by its square: divide them by
    math.sqrt(d_k).
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / q.shape[-1]
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
