"""attention: normalises over the queries.

Question: attention
Mistakes: concept
Deserves: 40 %
Fails: attention_worked, attention_weights, attention_mask, attention_hidden_broadcast,
    attention_hidden_extreme
Tell: The columns of the weights sum to 1, not the rows: take the softmax over the keys, dim=-1.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights @ V, weights
