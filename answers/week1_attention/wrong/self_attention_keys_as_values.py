"""self_attention: the keys are averaged; W_V is never used.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: The output is a blend of the values X @ W_V: here the keys were blended.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K = X @ W_Q, X @ W_K
    return scaled_dot_product_attention(Q, K, K, mask)
