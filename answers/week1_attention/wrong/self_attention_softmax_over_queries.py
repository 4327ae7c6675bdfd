"""self_attention: the softmax runs over the queries.

Question: self_attention
Mistakes: concept
Deserves: 45 %
Fails: self_attention_worked, self_attention_sizes, self_attention_mask, self_attention_hidden_batch
Tell: The columns of the weights sum to 1, not the rows: for each query the keys compete, softmax over the
    last dimension.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-2)
    return weights @ V, weights
