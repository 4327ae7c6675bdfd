"""self_attention: adds the embeddings to the output.

Question: self_attention
Mistakes: slip
Deserves: 60 %
Fails: self_attention_worked, self_attention_sizes
Tell: The embeddings are added to the output: it should be the average of the values alone.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return X + output, weights
