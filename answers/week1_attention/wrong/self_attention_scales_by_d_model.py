"""self_attention: divides by the root of d_model.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_worked, self_attention_sizes
Tell: The scale should be the root of d_k, the width of W_Q and W_K, and not that of d_model.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.transpose(-2, -1) / math.sqrt(X.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
