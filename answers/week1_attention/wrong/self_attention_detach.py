"""self_attention: the weights are detached, so W_Q and W_K learn nothing.

Question: self_attention
Mistakes: slip
Deserves: 80 %
Fails: self_attention_hidden_gradient
Tell: No gradient reaches W_Q and W_K, so they could not be learned: leave out what cuts it off (detach() or
    no_grad()).
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    V = X @ W_V
    _, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, V, mask)
    weights = weights.detach()
    return weights @ V, weights
