"""self_attention: W_Q and W_K joined into one matrix (d_model, d_model), and W_V applied last.

Question: self_attention
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    between = W_Q @ W_K.T / math.sqrt(W_Q.shape[-1])
    scores = X @ between @ X.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ X @ W_V, weights
