"""self_attention: F.linear with the matrices transposed, as nn.Linear keeps them.

Question: self_attention
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = (F.linear(X, matrix.T) for matrix in (W_Q, W_K, W_V))
    output, weights = scaled_dot_product_attention(Q, K, V, mask=mask)
    return output, weights
