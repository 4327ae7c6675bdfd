"""attention: returns the scores in place of the weights.

Question: attention
Mistakes: slip
Deserves: 75 %
Fails: attention_weights, attention_hidden_broadcast
Tell: The second value is the scores, before the softmax: return the weights.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V, scores
