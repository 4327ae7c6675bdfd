"""attention: products of all pairs by broadcasting, a large negative number added for blocked ones, softmax by hand.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    products = (Q.unsqueeze(-2) * K.unsqueeze(-3)).sum(-1) * (1 / np.sqrt(Q.shape[-1]))
    if mask is not None:
        products = products + (~mask).to(products.dtype) * torch.finfo(products.dtype).min / 4
    products = products - products.max(dim=-1, keepdim=True).values
    e = products.exp()
    w = e / e.sum(-1, keepdim=True)
    return (w.unsqueeze(-1) * V.unsqueeze(-3)).sum(-2), w
