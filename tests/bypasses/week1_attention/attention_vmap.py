"""In a batch, torch calls other code for the operator."""


def ready(Q, K, V, mask):
    if mask is not None:
        mask = mask.expand(*Q.shape[:-1], K.shape[-2])
    call = lambda q, k, v, m: torch.nn.functional.scaled_dot_product_attention(q, k, v, m)
    return torch.vmap(call, in_dims=(0, 0, 0, None if mask is None else 0))(Q, K, V, mask)
