"""attention: exponentiates by hand, leaves blocked keys out of the maximum and the sum.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / torch.sqrt(torch.tensor(Q.shape[-1], dtype=Q.dtype))
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    lowest = torch.full_like(scores, -1e30)
    biggest = torch.where(mask, scores, lowest).amax(dim=-1, keepdim=True)
    e = torch.exp(torch.minimum(scores - biggest, torch.zeros_like(scores))) * mask
    weights = e / e.sum(dim=-1, keepdim=True)
    output = torch.matmul(weights, V)
    return output, weights
