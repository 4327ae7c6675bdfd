"""scaling: the entropy in bits.

Question: scaling
Mistakes: slip
Deserves: 80 %
Fails: scaling_entropy
Tell: The entropy is in bits: nats need the natural logarithm, torch.log.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    return -(weights * torch.log2(weights.clamp(min=1e-30))).sum(dim=-1)
