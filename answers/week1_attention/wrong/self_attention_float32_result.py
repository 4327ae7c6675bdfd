"""self_attention: everything is turned into float32.

Question: self_attention
Mistakes: slip
Deserves: 85 %
Fails: self_attention_hidden_inputs
Tell: For an input of float64 the result is float32: keep the dtype of X.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = (X.float() @ matrix.float() for matrix in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V, mask)
