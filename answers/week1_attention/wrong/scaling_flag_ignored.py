"""scaling: never divides, whatever `scaled` says.

Question: scaling
Mistakes: slip
Deserves: 70 %
Fails: scaling_scaled
Tell: The result is the same whether scaled is True or False: divide the dot products by the square root of
    d_k if it is True.
"""


def dot_product_variance(q, k, scaled):
    return (q * k).sum(dim=-1).var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
