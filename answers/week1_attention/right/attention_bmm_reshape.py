"""attention: folds all leading dimensions into one and uses bmm.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    q_len, k_len, d_k = Q.shape[-2], K.shape[-2], Q.shape[-1]
    q = Q.expand(*lead, q_len, d_k).reshape(-1, q_len, d_k)
    k = K.expand(*lead, k_len, d_k).reshape(-1, k_len, d_k)
    v = V.expand(*lead, k_len, V.shape[-1]).reshape(-1, k_len, V.shape[-1])
    scores = torch.bmm(q, k.permute(0, 2, 1)) / d_k**0.5
    if mask is not None:
        m = mask.expand(*lead, q_len, k_len).reshape(-1, q_len, k_len)
        scores = scores.masked_fill(m.logical_not(), torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, v)
    return output.reshape(*lead, q_len, -1), weights.reshape(*lead, q_len, k_len)
