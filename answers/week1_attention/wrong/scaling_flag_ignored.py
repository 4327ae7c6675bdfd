"""scaling: never divides, whatever `scaled` says.

Question: scaling
Fails: scaling_variance, scaling_hidden_variance
Tell: The argument scaled is never used: divide the products by the square root of d_k when it is True.
"""


def dot_product_variance(q, k, scaled):
    return (q * k).sum(dim=-1).var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
