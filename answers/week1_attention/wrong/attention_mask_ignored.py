"""attention: has the argument mask and never looks at it.

Question: attention
Mistakes: slip
Deserves: 60 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask changes nothing: where it is False, the score must become minus infinity before the softmax.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = F.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights
