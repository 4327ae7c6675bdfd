"""self_attention: the keys are averaged; W_V is never used.

Question: self_attention
Mistakes: concept
Deserves: 50 %
Fails: self_attention_worked, self_attention_sizes, self_attention_hidden_gradient
Tell: The output is a blend of the keys, and W_V plays no part in it: the values should be X @ W_V.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K = X @ W_Q, X @ W_K
    return scaled_dot_product_attention(Q, K, K, mask)
