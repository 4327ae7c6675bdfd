"""self_attention: the matrices are transposed, as if nn.Linear kept them.

Question: self_attention
Mistakes: slip
Deserves: 45 %
Fails: self_attention_worked, self_attention_sizes
Tell: The matrices should multiply X from the right as they are: X @ W_Q, without a transpose.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    return scaled_dot_product_attention(Q, K, V, mask)
