"""scaling: one entropy for everything.

Question: scaling
Mistakes: slip
Deserves: 65 %
Fails: scaling_entropy, scaling_hidden_entropy
Tell: All rows are summed into one number: sum over the last dimension only, dim=-1.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum()
