"""self_attention: queries and keys handed over in the wrong order.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: Attention expects the queries first, then the keys: who looks for whom has a direction.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return scaled_dot_product_attention(K, Q, V, mask)
