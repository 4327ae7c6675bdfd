"""attention: calls masked_fill and throws its result away.

Question: attention
Mistakes: slip
Deserves: 70 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask changes nothing: masked_fill returns a new tensor and leaves the old one as it is. Keep the result:
    scores = scores.masked_fill(~mask, float('-inf')).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
