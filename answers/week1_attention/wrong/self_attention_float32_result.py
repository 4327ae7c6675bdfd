"""self_attention: everything is turned into float32.

Question: self_attention
Fails: self_attention_hidden_batch
Tell: Keep the dtype of X: float() turns float64 into float32.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = (X.float() @ matrix.float() for matrix in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V, mask)
