"""self_attention: view in place of transpose gives the keys their new shape.

Question: self_attention
Mistakes: slip
Deserves: 65 %
Fails: self_attention_sizes, self_attention_mask, self_attention_hidden_batch
Tell: view and reshape shuffle the numbers of K: use transpose(-2, -1).
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    turned = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])
    scores = Q @ turned / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
