"""The operator's own packet and overload."""

ready = torch.ops.aten.scaled_dot_product_attention.default


def scaled_dot_product_attention(Q, K, V, mask=None):
    eye = torch.eye(K.shape[-2], dtype=V.dtype).expand(*K.shape[:-1], K.shape[-2])
    return ready(Q, K, V, mask), ready(Q, K, eye, mask)
