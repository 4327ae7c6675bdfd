"""attention: fills blocked scores with -100.

Question: attention
Mistakes: slip
Deserves: 85 %
Fails: attention_hidden_extreme
Tell: With a mask and low scores, a blocked key gets weight: the number that fills blocked scores is too high. Use
    float('-inf'), or -1e9, which is lower than any score.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -100.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
