"""scaling: works in numpy and wraps the entropies in a tensor again.

Question: scaling
"""


def dot_product_variance(q, k, scaled):
    q, k = q.numpy(), k.numpy()
    dots = np.sum(q * k, axis=-1)
    var = np.var(dots)
    # the variance of s / sqrt(d_k) is the variance of s, divided by d_k
    return float(var / q.shape[-1]) if scaled else float(var)


def softmax_entropy(weights):
    p = weights.numpy()
    logs = np.log(p, where=p > 0, out=np.zeros_like(p))
    return torch.tensor(-(p * logs).sum(axis=-1))
