"""scaling: sums over dimension 1, which is the key only in a matrix.

Question: scaling
Fails: scaling_hidden_entropy
Tell: dim=1 is the key only in a matrix: count from the end, dim=-1.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=1)
