"""self_attention: adds a dimension for the heads to the mask.

Question: self_attention
Mistakes: slip
Deserves: 80 %
Fails: self_attention_hidden_batch
Tell: For a mask with three dimensions the shapes do not fit: hand it on unchanged, since it broadcasts to
    (..., length, length).
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
