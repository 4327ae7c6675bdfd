"""self_attention: squeezes dimensions of length 1 away.

Question: self_attention
Fails: self_attention_hidden_batch
Tell: squeeze() drops every dimension of length 1, also a batch of one sentence: leave it out.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return output.squeeze(), weights.squeeze()
