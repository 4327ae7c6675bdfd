"""self_attention: einsum throughout, with a softmax of its own call.

Question: self_attention
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    queries, keys, values = (torch.einsum("...ld,dk->...lk", X, matrix) for matrix in (W_Q, W_K, W_V))
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / W_K.shape[1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    weights = scores.softmax(dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, values), weights
