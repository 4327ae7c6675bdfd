"""self_attention: the embeddings themselves are averaged; W_V is never used.

Question: self_attention
Mistakes: concept
Deserves: 50 %
Fails: self_attention_worked, self_attention_sizes, self_attention_hidden_gradient
Tell: The values should be X @ W_V, not X: the output should be as wide as W_V.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X, mask)
