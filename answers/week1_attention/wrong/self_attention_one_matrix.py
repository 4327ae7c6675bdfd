"""self_attention: W_Q makes the keys as well as the queries.

Question: self_attention
Mistakes: concept
Deserves: 50 %
Fails: self_attention_worked, self_attention_sizes, self_attention_hidden_gradient
Tell: W_Q made the keys as well as the queries: the keys should be X @ W_K.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q = X @ W_Q
    K = X @ W_Q
    V = X @ W_V
    return scaled_dot_product_attention(Q, K, V, mask)
