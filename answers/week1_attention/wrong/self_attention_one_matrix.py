"""self_attention: W_Q makes the keys as well as the queries.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: The keys are made by W_K; with one matrix for both the scores are symmetric.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q = X @ W_Q
    K = X @ W_Q
    V = X @ W_V
    return scaled_dot_product_attention(Q, K, V, mask)
