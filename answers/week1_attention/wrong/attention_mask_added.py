"""attention: adds the boolean mask to the scores.

Question: attention
Mistakes: concept
Deserves: 50 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: The mask was added to the scores, which only adds 1 to the allowed ones: blocked ones must become
    minus infinity, scores.masked_fill(~mask, float('-inf')).
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
