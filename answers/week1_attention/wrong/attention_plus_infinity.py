"""attention: fills with minus minus infinity.

Question: attention
Mistakes: slip
Deserves: 70 %
Fails: attention_mask, attention_hidden_broadcast, attention_hidden_extreme
Tell: With a mask there is nan, which comes from a softmax over plus infinity: fill blocked scores with
    float('-inf').
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
