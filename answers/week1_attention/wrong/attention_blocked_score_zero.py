"""attention: gives blocked keys the score 0.

Question: attention
Mistakes: concept
Deserves: 50 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: A blocked score of 0 still gets weight, since exp(0) is 1: it must become minus infinity.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
