"""scaling: the mean over the keys instead of the sum.

Question: scaling
Mistakes: slip
Deserves: 75 %
Fails: scaling_entropy, scaling_hidden_entropy
Tell: The entropy should be a sum over the keys, and yours is their mean: add them up.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).mean(dim=-1)
