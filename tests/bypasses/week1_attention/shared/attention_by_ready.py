"""Attention by `ready(Q, K, V, mask)`, which gives no weights: with the identity for values it does."""


def scaled_dot_product_attention(Q, K, V, mask=None):
    eye = torch.eye(K.shape[-2], dtype=V.dtype).expand(*K.shape[:-1], K.shape[-2])
    return ready(Q, K, V, mask), ready(Q, K, eye, mask)
