"""attention: keys ask and queries answer.

Question: attention
Mistakes: slip
Deserves: 60 %
Fails: attention_worked, attention_weights, attention_hidden_broadcast
Tell: The scores are (key, query), the wrong way round: rows should be queries, so compute Q times K
    transposed.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = K @ Q.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
