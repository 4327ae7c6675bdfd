"""self_attention: returns the output alone.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_worked
Tell: Return two things, output and weights, as scaled_dot_product_attention does.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, _ = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return output
