"""self_attention: PyTorch's ready-made attention computes the output.

Question: self_attention
Mistakes: concept
Deserves: 15 %
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient, self_attention_hidden_inputs
Tell: A ready-made attention does not work while your notebook is graded: use your own
    scaled_dot_product_attention.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    return output, weights
