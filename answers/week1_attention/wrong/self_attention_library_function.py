"""self_attention: PyTorch's ready-made attention computes the output.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: The ready-made attention is not allowed in this question: use your own scaled_dot_product_attention.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    return output, weights
