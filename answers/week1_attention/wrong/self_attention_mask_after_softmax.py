"""self_attention: the masked weights are set to 0 after the softmax.

Question: self_attention
Mistakes: concept
Deserves: 55 %
Fails: self_attention_mask, self_attention_hidden_batch
Tell: With a mask the rows of weights no longer sum to 1: a blocked pair needs the score -inf before the
    softmax.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    if mask is not None:
        weights = weights * mask
        output = weights @ (X @ W_V)
    return output, weights
