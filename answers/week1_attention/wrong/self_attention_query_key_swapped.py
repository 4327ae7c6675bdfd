"""self_attention: queries and keys handed over in the wrong order.

Question: self_attention
Mistakes: slip
Deserves: 60 %
Fails: self_attention_worked, self_attention_sizes
Tell: Queries and keys are interchanged: the attention expects the queries first, then the keys.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return scaled_dot_product_attention(K, Q, V, mask)
