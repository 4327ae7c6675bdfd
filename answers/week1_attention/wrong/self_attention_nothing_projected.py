"""self_attention: no matrix is used: Q = K = V = X.

Question: self_attention
Mistakes: concept
Deserves: 20 %
Fails: self_attention_worked, self_attention_sizes, self_attention_hidden_gradient
Tell: Queries, keys and values should be X times W_Q, W_K and W_V, not X itself.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    return scaled_dot_product_attention(X, X, X, mask)
