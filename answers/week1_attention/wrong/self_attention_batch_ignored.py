"""self_attention: `.T` turns the keys, which is right for one sentence and not for a batch.

Question: self_attention
Mistakes: slip
Deserves: 70 %
Fails: self_attention_hidden_batch
Tell: The function stops for a batch of sentences: swap the last two dimensions of the keys with
    transpose(-2, -1), which works for a batch too.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
