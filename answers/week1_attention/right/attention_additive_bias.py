"""attention: makes an additive mask of 0 and minus infinity from the boolean one.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.mT
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        bias[~mask] = -math.inf
        scores = scores + bias
    weights = F.softmax(scores, -1)
    return weights @ V, weights
