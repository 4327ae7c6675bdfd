"""self_attention: makes layers of its own; the given matrices only say how large.

Question: self_attention
Mistakes: concept
Deserves: 15 %
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch,
    self_attention_hidden_gradient, self_attention_hidden_inputs
Tell: The matrices are given: multiply X with W_Q, W_K and W_V, and make no new layers.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    d_model = X.shape[-1]
    to_queries = nn.Linear(d_model, W_Q.shape[1], bias=False, dtype=X.dtype)
    to_keys = nn.Linear(d_model, W_K.shape[1], bias=False, dtype=X.dtype)
    to_values = nn.Linear(d_model, W_V.shape[1], bias=False, dtype=X.dtype)
    return scaled_dot_product_attention(to_queries(X), to_keys(X), to_values(X), mask)
