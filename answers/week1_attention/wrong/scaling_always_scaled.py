"""scaling: always divides, whatever `scaled` says.

Question: scaling
Mistakes: slip
Deserves: 70 %
Fails: scaling_variance, scaling_scaled
Tell: The dot products are divided by the root of d_k even when scaled is False: divide only if it is True.
"""


def dot_product_variance(q, k, scaled):
    d_k = q.shape[-1]
    products = torch.einsum("nd,nd->n", q, k) / math.sqrt(d_k)
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
