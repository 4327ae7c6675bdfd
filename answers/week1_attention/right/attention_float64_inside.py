"""attention: computes in float64 and casts back to the dtype it was given.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    dtype = Q.dtype
    q, k, v = Q.double(), K.double(), V.double()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores.masked_fill_(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).to(dtype), weights.to(dtype)
