"""self_attention: a causal mask is always used.

Question: self_attention
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient
Tell: Block only what the argument mask blocks: without a mask every word may attend to every word.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    length = X.shape[-2]
    past = torch.tril(torch.ones(length, length, dtype=torch.bool))
    mask = past if mask is None else mask & past
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
