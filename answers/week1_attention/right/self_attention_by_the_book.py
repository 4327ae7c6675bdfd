"""self_attention: three products, then the attention of question 2.

Question: self_attention
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return scaled_dot_product_attention(Q, K, V, mask)
