"""self_attention: `.T` turns the keys, which is right for one sentence and not for a batch.

Question: self_attention
Fails: self_attention_hidden_batch
Tell: `.T` reverses all dimensions: swap the last two with transpose(-2, -1).
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
