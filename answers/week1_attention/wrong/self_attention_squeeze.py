"""self_attention: squeezes dimensions of length 1 away.

Question: self_attention
Mistakes: slip
Deserves: 85 %
Fails: self_attention_mask, self_attention_hidden_batch
Tell: Dimensions of length 1 are missing in the result, such as a batch of one sentence: look for squeeze(), for
    example.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return output.squeeze(), weights.squeeze()
