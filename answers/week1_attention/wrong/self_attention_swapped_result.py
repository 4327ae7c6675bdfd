"""self_attention: returns (weights, output).

Question: self_attention
Mistakes: slip
Deserves: 80 %
Fails: self_attention_worked
Tell: The output should come first, then the weights.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return weights, output
