"""self_attention: the mask is not handed on.

Question: self_attention
Mistakes: slip
Deserves: 70 %
Fails: self_attention_mask, self_attention_hidden_batch
Tell: The mask changes nothing: hand it to scaled_dot_product_attention.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return scaled_dot_product_attention(Q, K, V)
