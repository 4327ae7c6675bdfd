"""scaling: einsum for the products, a tiny number inside the logarithm.

Question: scaling
"""


def dot_product_variance(q, k, scaled):
    s = torch.einsum("nd,nd->n", q, k)
    if scaled:
        s *= q.size(1) ** -0.5
    return float(torch.var(s, unbiased=False))


def softmax_entropy(weights):
    return -(weights * torch.log(weights + 1e-12)).sum(-1)
