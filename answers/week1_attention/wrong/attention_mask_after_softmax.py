"""attention: sets weights to 0 after the softmax and does not share them out again.

Question: attention
Mistakes: concept
Deserves: 50 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: Rows with a blocked key no longer sum to 1: mask the scores before the softmax, not the weights after
    it.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ V, weights
