"""self_attention: returns the scores in place of the weights.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_worked, self_attention_hidden_batch
Tell: The second result is the scores, before the softmax: return the weights.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    return output, Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
