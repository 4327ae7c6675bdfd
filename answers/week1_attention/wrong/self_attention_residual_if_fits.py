"""self_attention: adds the embeddings to the output where the sizes fit.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_sizes
Tell: Where d_v is d_model, the embeddings are added to the output: it should be the average of the values
    alone.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    if output.shape == X.shape:
        output = output + X
    return output, weights
