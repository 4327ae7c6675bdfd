"""scaling: NaN where a weight is 0.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_hidden_entropy
Tell: A weight of 0 gives nan (0 times minus infinity), and it must add nothing: use torch.xlogy or leave
    zeros out.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -(weights * torch.log(weights)).sum(dim=-1)
