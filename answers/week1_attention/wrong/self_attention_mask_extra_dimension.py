"""self_attention: adds a dimension for the heads to the mask.

Question: self_attention
Fails: self_attention_hidden_batch
Tell: The mask broadcasts to (..., length, length) as it is: there is no dimension for heads here.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
