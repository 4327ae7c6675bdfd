"""self_attention: the scores are not divided by anything.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_sizes
Tell: Divide the scores by the root of d_k, or use scaled_dot_product_attention, which does.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
