"""attention: exponentiates by hand without subtracting the largest score.

Question: attention
Mistakes: slip
Deserves: 80 %
Fails: attention_hidden_extreme
Tell: Large scores overflow in your softmax, so there is nan: subtract the largest score of each row first,
    or call torch.softmax.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    e = torch.exp(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]))
    if mask is not None:
        e = e * mask
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ V, weights
