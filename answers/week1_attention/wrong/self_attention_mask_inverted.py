"""self_attention: the mask is inverted on the way.

Question: self_attention
Mistakes: slip
Deserves: 65 %
Fails: self_attention_mask, self_attention_hidden_batch
Tell: True means may attend, here as in question 2: hand the mask on as it is.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    if mask is not None:
        mask = ~mask
    return scaled_dot_product_attention(Q, K, V, mask)
