"""self_attention: blocks words whose vectors are zero.

Question: self_attention
Mistakes: slip
Deserves: 80 %
Fails: self_attention_sizes
Tell: Words whose vectors are all zeros are blocked: only the argument mask says what is blocked.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    real = (X != 0).any(dim=-1).unsqueeze(-2)
    mask = real if mask is None else mask & real
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
