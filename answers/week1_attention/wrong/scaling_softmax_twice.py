"""scaling: takes the weights for scores and applies softmax again.

Question: scaling
Mistakes: concept
Deserves: 50 %
Fails: scaling_entropy, scaling_hidden_entropy
Tell: The argument holds weights that already sum to 1: apply no softmax here.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    p = torch.softmax(weights, dim=-1)
    return -(p * torch.log_softmax(weights, dim=-1)).sum(dim=-1)
