"""Attention by `onnx()`, which gives an operator of ONNX: it wants four dimensions."""


def scaled_dot_product_attention(Q, K, V, mask=None):
    shape = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    if mask is not None:
        mask = mask.expand(*shape, Q.shape[-2], K.shape[-2]).reshape(-1, 1, Q.shape[-2], K.shape[-2])
    four = [x.expand(*shape, *x.shape[-2:]).reshape(-1, 1, *x.shape[-2:]) for x in (Q, K, V)]
    output, _, _, weights = onnx()(*four, attn_mask=mask, qk_matmul_output_mode=3)
    return output.reshape(*shape, *output.shape[-2:]), weights.reshape(*shape, *weights.shape[-2:])
