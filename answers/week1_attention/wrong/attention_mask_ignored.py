"""attention: has the argument mask and never looks at it.

Question: attention
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_gradient, attention_hidden_extreme,
    attention_hidden_dtype, attention_hidden_inputs
Tell: The argument mask is never used: fill the scores with minus infinity where it is False.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = F.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights
