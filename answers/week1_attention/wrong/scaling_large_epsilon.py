"""scaling: adds 1e-5 inside the logarithm, which many small weights make visible.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_hidden_entropy
Tell: Many small weights have too small an entropy: the number that you add inside the logarithm is too large. Use
    torch.xlogy, or add 1e-12.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -(weights * torch.log(weights + 1e-5)).sum(dim=-1)
