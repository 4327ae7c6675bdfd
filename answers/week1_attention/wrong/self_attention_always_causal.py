"""self_attention: a causal mask is always used.

Question: self_attention
Mistakes: slip
Deserves: 60 %
Fails: self_attention_worked, self_attention_sizes, self_attention_hidden_batch
Tell: In your code no word attends to later words, even without a mask: block only what the argument mask blocks.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    length = X.shape[-2]
    past = torch.tril(torch.ones(length, length, dtype=torch.bool))
    mask = past if mask is None else mask & past
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
