"""self_attention: the matrices are transposed, as if nn.Linear kept them.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: The matrices have the shape (d_model, d_k) and stand on the right of X: X @ W_Q, with no transpose.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    return scaled_dot_product_attention(Q, K, V, mask)
