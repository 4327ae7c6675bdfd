"""self_attention: computes the first sentence of a batch and repeats it.

Question: self_attention
Mistakes: slip
Deserves: 65 %
Fails: self_attention_hidden_batch
Tell: All sentences of a batch get the result of the first one: keep the leading dimensions.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    leading = X.shape[:-2]
    if leading:
        X = X.reshape(-1, *X.shape[-2:])[0]
        mask = mask if mask is None else mask.reshape(-1, *mask.shape[-2:])[0]
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return output.expand(*leading, *output.shape), weights.expand(*leading, *weights.shape)
