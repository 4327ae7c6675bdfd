"""scaling: always divides, whatever `scaled` says.

Question: scaling
Fails: scaling_variance, scaling_hidden_variance
Tell: The products are divided even when scaled is False: put the division under if scaled.
"""


def dot_product_variance(q, k, scaled):
    d_k = q.shape[-1]
    products = torch.einsum("nd,nd->n", q, k) / math.sqrt(d_k)
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
