"""scaling: sums over dimension 1, which is the key only in a matrix.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_hidden_entropy
Tell: For weights with more than two dimensions the sum runs over the wrong one: the keys are the last,
    dim=-1.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -torch.xlogy(weights, weights).sum(dim=1)
