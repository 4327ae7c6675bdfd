"""attention: minus a thousand million for blocked keys, as in many tutorials.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    output = torch.matmul(p_attn, V)
    return output, p_attn
