"""attention: blocks what may be attended to.

Question: attention
Mistakes: slip
Deserves: 65 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask is used the wrong way round: True means may attend, while masked_fill, for
    example, fills where it gets True.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
