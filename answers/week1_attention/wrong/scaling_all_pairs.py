"""scaling: takes the products of every query with every key.

Question: scaling
Fails: scaling_variance, scaling_hidden_variance
Tell: Row i of q belongs to row i of k only: multiply entry by entry and sum, instead of q @ k.T, which
    pairs everything.
"""


def dot_product_variance(q, k, scaled):
    products = q @ k.T
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)
