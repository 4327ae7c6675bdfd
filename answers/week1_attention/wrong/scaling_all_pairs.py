"""scaling: takes the products of every query with every key.

Question: scaling
Mistakes: slip
Deserves: 65 %
Fails: scaling_variance
Tell: The variance is over all pairs of a query and a key, and row i of q belongs only to row i of k: multiply entry
    by entry, then sum each row.
"""


def dot_product_variance(q, k, scaled):
    products = q @ k.T
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
