"""attention: calls masked_fill and throws its result away.

Question: attention
Mistakes: slip
Deserves: 70 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask changes nothing. If you call masked_fill, keep what it returns: it makes a new tensor and leaves the
    old one as it is.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
