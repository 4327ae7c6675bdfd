"""attention: small helper functions at the top of the cell.

Question: attention
"""


def get_scores(Q, K):
    return torch.matmul(Q, torch.transpose(K, -2, -1)) / K.size(-1) ** 0.5


def apply_mask(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(torch.logical_not(mask), torch.finfo(scores.dtype).min)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = apply_mask(get_scores(Q, K), mask)
    weights = nn_softmax(scores)
    return torch.matmul(weights, V), weights


nn_softmax = torch.nn.Softmax(dim=-1)
