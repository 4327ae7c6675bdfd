"""self_attention: rows and columns of the mask are interchanged.

Question: self_attention
Mistakes: slip
Deserves: 65 %
Fails: self_attention_mask, self_attention_hidden_batch
Tell: Rows and columns of the mask are interchanged: hand the mask on as it is, row = query, column = key.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    if mask is not None:
        mask = mask.transpose(-2, -1)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
